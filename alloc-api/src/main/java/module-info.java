// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
/**
 * The interfaces and errors of the Ashlar allocators: what users program against.
 *
 * <p>This module uses nothing but the JDK.
 */
module dev.ashlar.alloc.api {
  exports dev.ashlar.alloc.api;
}
