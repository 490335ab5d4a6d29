// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ashlar.alloc.api.Allocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * What every {@link Allocator} promises while it is open, whether it checks addresses or not.
 * Extend {@link AllocatorContract} instead for one that checks and can be closed; for others,
 * extend this and implement {@link MisuseContract} or {@link ClosingContract} as they apply.
 *
 * <p>After each test, an allocator that is still open must count as live what it did before the
 * test, and pass {@link #checkInvariants}.
 */
public abstract class OpenAllocatorContract
    implements AllocationContract,
        RawAllocationContract,
        ReallocationContract,
        BlockSizeContract,
        RefusalContract,
        ThreadsContract {

  private Allocator allocator;
  private Allocator another;
  private LiveCounters before;

  /** For subclasses. */
  protected OpenAllocatorContract() {}

  /**
   * Opens the allocator under test. It is called before each test.
   *
   * @return an open allocator that no other thread uses
   */
  protected abstract Allocator newAllocator();

  /**
   * Opens an allocator to tell apart from the one under test. It is called at most once in a test.
   *
   * @return another open allocator, by default {@link #newAllocator()}
   */
  protected Allocator newOtherAllocator() {
    return newAllocator();
  }

  /**
   * Walks what the allocator is made of. It is called after each test, with no thread inside.
   *
   * @param checked an allocator that is still open
   * @throws AssertionError naming what is broken
   */
  protected void checkInvariants(Allocator checked) {}

  /**
   * Closes the allocator under test after a test. One that cannot be closed overrides this.
   *
   * @param finished the allocator, closed already or not
   */
  protected void dispose(Allocator finished) {
    finished.close();
  }

  @Override
  public final Allocator allocator() {
    return allocator;
  }

  @Override
  public final Allocator anotherAllocator() {
    if (another == null) {
      another = newOtherAllocator();
    }
    return another;
  }

  /** Opens the allocator of one test. */
  @BeforeEach
  public final void openAllocator() {
    allocator = newAllocator();
    before = live();
  }

  /** Checks and closes the allocator of one test. */
  @AfterEach
  public final void checkAndCloseAllocator() {
    try {
      if (isOpen()) {
        checkInvariants(allocator);
        assertThat(live()).as("live bytes and blocks after the test").isEqualTo(before);
      }
    } finally {
      dispose(allocator);
      if (another != null) {
        another.close();
      }
    }
  }

  private boolean isOpen() {
    try {
      raw().free(raw().malloc(1));
      return true;
    } catch (IllegalStateException closed) {
      return false;
    }
  }
}
