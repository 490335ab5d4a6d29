// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.profiles;

import java.lang.module.ModuleDescriptor;

/** The version this module was built as. */
final class Version {

  private Version() {}

  static String current() {
    ModuleDescriptor module = Version.class.getModule().getDescriptor();
    return module == null ? "development" : module.rawVersion().orElse("development");
  }
}
