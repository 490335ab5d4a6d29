// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ashlar.alloc.prim.VirtualMemory;
import dev.ashlar.alloc.prim.VirtualMemory.Access;
import dev.ashlar.alloc.prim.VirtualMemoryException;
import dev.ashlar.alloc.testkit.FaultyMemory.Call;
import dev.ashlar.alloc.testkit.FaultyMemory.Made;
import java.util.EnumSet;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A faulty operating system refuses what it was told to and nothing else. */
class FaultyMemoryTest {

  private static final long MIB = 1L << 20;

  private final FakeClock clock = new FakeClock();
  private final FaultyMemory memory = new FaultyMemory(VirtualMemory.system(), clock);
  private final long page = memory.osPageBytes();
  private final long range = memory.reserve(MIB, page, Access.NONE);

  @AfterEach
  void release() {
    memory.allow();
    memory.release(range, MIB);
  }

  private static void assertRefused(ThrowingCallable call) {
    VirtualMemoryException refusal = catchThrowableOfType(VirtualMemoryException.class, call);
    assertThat(refusal).isNotNull();
    assertThat(refusal.errorName()).isEqualTo("ENOMEM");
  }

  @Test
  void oneCallOfAKindIsRefused() {
    memory.refuse(EnumSet.of(Call.COMMIT), 2);
    memory.commit(range, page);
    memory.decommit(range, page);
    assertRefused(() -> memory.commit(range, page));
    memory.commit(range, page);
    assertThat(memory.refused()).isEqualTo(1);
    assertThat(memory.count(Call.COMMIT)).isEqualTo(3);
    assertThat(memory.made())
        .containsExactly(
            new Made(Call.RESERVE, 0, MIB, false),
            new Made(Call.COMMIT, range, page, false),
            new Made(Call.DECOMMIT, range, page, false),
            new Made(Call.COMMIT, range, page, true),
            new Made(Call.COMMIT, range, page, false));
  }

  @Test
  void aCallOfAnyKindIsRefused() {
    memory.refuse(EnumSet.allOf(Call.class), 3);
    memory.commit(range, page);
    memory.protect(range, page, Access.READ);
    assertRefused(() -> memory.decommit(range, page));
    memory.decommit(range, page);
  }

  @Test
  void everyCallIsRefusedUntilItIsAllowed() {
    memory.refuseAll(EnumSet.allOf(Call.class));
    assertRefused(() -> memory.reserve(MIB, page, Access.NONE));
    assertRefused(() -> memory.commit(range, page));
    assertRefused(() -> memory.decommit(range, page));
    assertRefused(() -> memory.protect(range, page, Access.READ));
    assertRefused(() -> memory.release(range, MIB));
    assertThat(memory.refused()).isEqualTo(5);
    memory.allow();
    memory.commit(range, page);
    RawBytes.put(range, (byte) 1);
  }

  @Test
  void aRefusedCallReachesNoMemory() {
    memory.commit(range, page);
    RawBytes.put(range, (byte) 7);
    memory.refuseAll(EnumSet.of(Call.DECOMMIT, Call.PROTECT));
    assertRefused(() -> memory.decommit(range, page));
    assertRefused(() -> memory.protect(range, page, Access.NONE));
    assertThat(RawBytes.get(range)).isEqualTo((byte) 7);
  }

  @Test
  void largeReservationsAreRefused() {
    memory.refuseReservationsAbove(MIB);
    assertRefused(() -> memory.reserve(MIB + page, page, Access.NONE));
    memory.release(memory.reserve(MIB, page, Access.NONE), MIB);
    memory.allow();
    memory.release(memory.reserve(MIB + page, page, Access.NONE), MIB + page);
  }

  @Test
  void impossibleRangesAreAssertionErrors() {
    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            () -> memory.commit(range + 16, page),
            () -> memory.commit(range, page - 16),
            () -> memory.commit(range, 0),
            () -> memory.commit(range, -page),
            () -> memory.decommit(-page, page),
            () -> memory.protect(range, Long.MAX_VALUE - page + 1, Access.READ),
            () -> memory.reserve(MIB + 1, page, Access.NONE),
            () -> memory.reserve(MIB, page / 2, Access.NONE),
            () -> memory.reserve(MIB, 3 * page, Access.NONE))) {
      assertThatThrownBy(call).isInstanceOf(AssertionError.class);
    }
  }

  @Test
  void itsClockMovesOnlyWhenItIsMoved() {
    long before = memory.clock().nanoTime();
    assertThat(memory.clock().nanoTime()).isEqualTo(before);
    clock.advance(5_000);
    // The reading wraps; differences are right all the same.
    assertThat(memory.clock().nanoTime()).isLessThan(before);
    assertThat(memory.clock().nanoTime() - before).isEqualTo(5_000);
    assertThatThrownBy(() -> clock.advance(-1)).isInstanceOf(IllegalArgumentException.class);
  }
}
