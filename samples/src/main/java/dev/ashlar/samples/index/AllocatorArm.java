// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.index;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** The allocators that the index can be built on. */
public enum AllocatorArm {
  /** Ashlar through addresses. */
  ASHLAR_RAW("ashlar-raw", "Ashlar's RawAllocator: a long address per block"),
  /** Ashlar through segments. */
  ASHLAR_SEGMENT("ashlar-segment", "Ashlar's Allocator: a MemorySegment kept per block"),
  /** The JDK's arenas. */
  JDK_ARENA("jdk-arena", "Arena.ofConfined() per block; a resize is a new arena and a copy"),
  /** The C library. */
  MALLOC_FFM("malloc-ffm", "the C library's malloc, realloc and free, linked as critical");

  private final String label;
  private final String description;

  AllocatorArm(String label, String description) {
    this.label = label;
    this.description = description;
  }

  /**
   * Returns the name by which users choose it.
   *
   * @return the name
   */
  public String label() {
    return label;
  }

  /**
   * Says what a block is on it.
   *
   * @return one line
   */
  public String description() {
    return description;
  }

  /**
   * Opens the allocator.
   *
   * @param slots how many blocks can be live at once; slots are below it
   * @return a store without blocks
   */
  public BlockStore open(int slots) {
    return switch (this) {
      case ASHLAR_RAW -> new AshlarRawStore();
      case ASHLAR_SEGMENT -> new AshlarSegmentStore(slots);
      case JDK_ARENA -> new JdkArenaStore(slots);
      case MALLOC_FFM -> new CMallocStore();
    };
  }

  /**
   * Finds an allocator by name.
   *
   * @param label the name
   * @return the allocator, or empty if none has that name
   */
  public static Optional<AllocatorArm> named(String label) {
    return Arrays.stream(values()).filter(arm -> arm.label.equals(label)).findFirst();
  }

  /**
   * Lists the names of all allocators.
   *
   * @return the names with commas between them
   */
  public static String labels() {
    return Arrays.stream(values()).map(AllocatorArm::label).collect(Collectors.joining(", "));
  }

  @Override
  public String toString() {
    return label;
  }
}
