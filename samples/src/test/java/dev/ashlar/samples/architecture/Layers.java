// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.samples.architecture;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** The layer order: which modules of Ashlar each module may use. */
final class Layers {

  private static final String API = "dev.ashlar.alloc.api";
  private static final String PRIM = "dev.ashlar.alloc.prim";
  private static final String SEGMENT = "dev.ashlar.alloc.segment";
  private static final String HEAP = "dev.ashlar.alloc.heap";
  private static final Set<String> ENGINE = Set.of(API, PRIM, SEGMENT, HEAP);

  /** What the names of the modules begin with that join Ashlar to other libraries. */
  static final String INTEGRATIONS = "dev.ashlar.integrations.";

  private static final Map<String, Set<String>> MAY_USE = new LinkedHashMap<>();

  static {
    MAY_USE.put(API, Set.of());
    MAY_USE.put(PRIM, Set.of(API));
    MAY_USE.put(SEGMENT, Set.of(API, PRIM));
    MAY_USE.put(HEAP, Set.of(API, PRIM, SEGMENT));
    MAY_USE.put("dev.ashlar.alloc.secure", ENGINE);
    MAY_USE.put("dev.ashlar.alloc.wasm", ENGINE);
    MAY_USE.put("dev.ashlar.alloc.profiles", ENGINE);
    // The contracts are to fit any implementation, so they know interfaces only.
    MAY_USE.put("dev.ashlar.alloc.testkit", Set.of(API, PRIM));
    MAY_USE.put(INTEGRATIONS + "chicory", Set.of(API, "dev.ashlar.alloc.wasm"));
    MAY_USE.put(
        "dev.ashlar.samples",
        Set.of(
            API,
            "dev.ashlar.alloc.profiles",
            "dev.ashlar.alloc.secure",
            "dev.ashlar.alloc.wasm",
            INTEGRATIONS + "chicory"));
  }

  private Layers() {}

  /** Returns which modules of the family a module may use. */
  static Map<String, Set<String>> mayUse() {
    return MAY_USE;
  }
}
