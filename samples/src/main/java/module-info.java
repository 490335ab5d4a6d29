// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

/**
 * The {@code ashlar} command-line tool and the sample programs.
 *
 * <p>This module stands at the right of the layers: it may use all of Ashlar, and nothing uses it.
 * It makes native calls of its own only to compare Ashlar with the C library.
 */
module dev.ashlar.samples {
  requires dev.ashlar.alloc.profiles;
  requires dev.ashlar.integrations.chicory;
  requires info.picocli;
  requires tools.jackson.databind;

  opens dev.ashlar.samples to
      info.picocli;
}
