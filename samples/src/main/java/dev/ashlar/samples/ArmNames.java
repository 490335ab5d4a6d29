// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples;

import dev.ashlar.samples.index.AllocatorArm;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the name of an allocator from the command line. */
final class ArmNames implements ITypeConverter<AllocatorArm> {

  @Override
  public AllocatorArm convert(String name) {
    return AllocatorArm.named(name.strip())
        .orElseThrow(
            () ->
                new TypeConversionException(
                    "unknown allocator '" + name + "': use " + AllocatorArm.labels()));
  }
}
