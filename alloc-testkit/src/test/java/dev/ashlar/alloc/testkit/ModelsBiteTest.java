// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ashlar.alloc.prim.Fallbacks;
import dev.ashlar.alloc.prim.VirtualMemory;
import dev.ashlar.alloc.prim.VirtualMemory.Access;
import dev.ashlar.alloc.prim.VirtualMemoryException;
import dev.ashlar.alloc.prim.macos.MacConstants;
import dev.ashlar.alloc.prim.macos.MacMemory;
import dev.ashlar.alloc.prim.windows.WindowsConstants;
import dev.ashlar.alloc.prim.windows.WindowsMemory;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Each model finds what a program does that its operating system would not let it do. */
class ModelsBiteTest {

  private static final long MIB = 1L << 20;

  private final VirtualMemory real = VirtualMemory.system();
  private final WindowsModel windows = new WindowsModel(real, true);
  private final WindowsModel olderWindows = new WindowsModel(real, false);
  private final DarwinModel darwin = new DarwinModel(real);

  @AfterEach
  void close() {
    windows.close();
    olderWindows.close();
    darwin.close();
  }

  private static void assertBites(String message, ThrowingCallable violation) {
    assertThatThrownBy(violation).isInstanceOf(AssertionError.class).hasMessageContaining(message);
  }

  private static void assertRefused(String error, ThrowingCallable call) {
    VirtualMemoryException refusal = catchThrowableOfType(VirtualMemoryException.class, call);
    assertThat(refusal).isNotNull();
    assertThat(refusal.errorName()).isEqualTo(error);
  }

  /** What every model finds, whatever it models. */
  private static void assertFindsWhatIsHandedOut(VirtualMemory memory, MemoryModel model) {
    long page = memory.osPageBytes();
    long address = memory.reserve(MIB, page, Access.NONE);
    assertBites("handed out", () -> model.requireUsable(address, 1));
    memory.commit(address, 4 * page);
    assertThatCode(() -> model.requireUsable(address, 4 * page)).doesNotThrowAnyException();
    assertBites("handed out", () -> model.requireUsable(address, 4 * page + 1));
    memory.decommit(address + page, page);
    assertBites("handed out", () -> model.requireUsable(address, 4 * page));
    assertBites("handed out", () -> model.requireUsable(address + 2 * page - 1, 1));
    memory.commit(address + page, page);
    memory.protect(address + 2 * page, page, Access.NONE);
    assertBites("handed out", () -> model.requireUsable(address, 4 * page));
    memory.commit(address + 2 * page, page);
    assertThatCode(() -> model.requireUsable(address, 4 * page)).doesNotThrowAnyException();
    memory.reset(address + 3 * page, page);
    assertBites("handed out", () -> model.requireUsable(address, 4 * page));
    memory.commit(address + 3 * page, page);
    assertThatCode(() -> model.requireUsable(address, 4 * page)).doesNotThrowAnyException();
    memory.release(address, MIB);
    assertBites("handed out", () -> model.requireUsable(address, 4 * page));
  }

  @Test
  void everyModelFindsMemoryThatIsHandedOutWithoutBeingUsable() {
    assertFindsWhatIsHandedOut(new WindowsMemory(windows), windows);
    assertFindsWhatIsHandedOut(new MacMemory(darwin), darwin);
    for (long page : new long[] {4_096, 16_384, 65_536}) {
      PageSizeModel pages = new PageSizeModel(real, page);
      assertFindsWhatIsHandedOut(pages, pages);
    }
    StrictCommitModel strict = new StrictCommitModel(real, MIB, false);
    assertFindsWhatIsHandedOut(strict, strict);
  }

  // ---- pages

  @Test
  void rangesOfSmallerPagesAreNone() {
    for (long page : new long[] {16_384, 65_536}) {
      PageSizeModel memory = new PageSizeModel(real, page);
      long address = memory.reserve(MIB, page, Access.NONE);
      memory.commit(address, MIB);
      for (ThrowingCallable call :
          new ThrowingCallable[] {
            () -> memory.commit(address + 4_096, page),
            () -> memory.decommit(address, page + 4_096),
            () -> memory.protect(address, 4_096, Access.NONE),
            () -> memory.reset(address + 4_096, page),
            () -> memory.remap(address, address + 2 * page + 4_096, page),
            () -> memory.release(address, MIB - 4_096),
            () -> memory.reserve(MIB, 4_096, Access.NONE),
            () -> memory.reserve(MIB + 4_096, page, Access.NONE)
          }) {
        assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class);
      }
      memory.release(address, MIB);
    }
  }

  // ---- the contract, where Linux is lenient

  @Test
  void whatLinuxWouldAllowIsFound() {
    PageSizeModel memory = new PageSizeModel(real, 4_096);
    long address = memory.reserve(MIB, 4_096, Access.NONE);
    assertBites("protected, but not committed", () -> memory.protect(address, 4_096, Access.READ));
    assertBites("reset, but not committed", () -> memory.reset(address, 4_096));
    memory.commit(address, 8_192);
    memory.protect(address, 4_096, Access.NONE);
    assertBites("decommitted while it is protected", () -> memory.decommit(address, 8_192));
    assertBites("reset while it is protected", () -> memory.reset(address, 4_096));
    assertBites("remapped, but protected", () -> memory.remap(address, address + 65_536, 4_096));
    assertBites("remapped to, but in use", () -> memory.remap(address + 4_096, address, 4_096));
    memory.protect(address, 4_096, Access.READ_WRITE);
    memory.reset(address, 4_096);
    assertBites("remapped, but reset", () -> memory.remap(address, address + 65_536, 8_192));
    assertBites("committed before", () -> memory.commitLarge(address, 4_096));
    memory.release(address, MIB);
  }

  // ---- Windows

  @Test
  void windowsReleasesWholeReservationsOnly() {
    WindowsMemory memory = new WindowsMemory(windows);
    long address = memory.reserve(MIB, 65_536, Access.NONE);
    assertBites("no reservation begins", () -> memory.release(address + 65_536, 65_536));
    assertBites(
        "only whole", () -> windows.virtualFree(address, 65_536, WindowsConstants.MEM_RELEASE));
    memory.release(address, MIB);
    assertBites("no reservation begins", () -> memory.release(address, MIB));
  }

  @Test
  void windowsProtectsAndResetsOnlyWhatIsCommitted() {
    WindowsMemory memory = new WindowsMemory(windows);
    long address = memory.reserve(MIB, 65_536, Access.NONE);
    memory.commit(address, 4_096);
    assertBites("not committed", () -> memory.protect(address, 8_192, Access.READ));
    assertBites("not committed", () -> memory.reset(address, 8_192));
    assertBites("unreserved", () -> memory.commit(address + MIB - 4_096, 8_192));
    memory.release(address, MIB);
  }

  @Test
  void windowsRefusesToCommitBeyondItsLimit() {
    WindowsMemory memory = new WindowsMemory(windows);
    windows.limitCommit(MIB);
    long address = memory.reserve(4 * MIB, 65_536, Access.NONE);
    memory.commit(address, MIB / 2);
    memory.commit(address, MIB / 2 + 4_096);
    assertThat(windows.commitBytes()).isEqualTo(MIB / 2 + 4_096);
    assertRefused("ERROR_COMMITMENT_LIMIT", () -> memory.commit(address, MIB + 4_096));
    assertThat(windows.commitBytes()).isEqualTo(MIB / 2 + 4_096);
    assertBites("not committed", () -> windows.requireUsable(address, MIB));
    assertRefused("ERROR_COMMITMENT_LIMIT", () -> memory.reserve(MIB, 65_536, Access.READ));
    memory.decommit(address, MIB);
    assertThat(windows.commitBytes()).isZero();
    memory.commit(address + MIB, MIB);
    memory.release(address, 4 * MIB);
    assertThat(windows.commitBytes()).isZero();
  }

  @Test
  void windowsTriesAgainWhenAnotherThreadTakesAnAlignedAddress() {
    WindowsMemory memory = new WindowsMemory(olderWindows);
    olderWindows.stealReleasedAddresses(5);
    long address = memory.reserve(MIB, 16 * MIB, Access.NONE);
    assertThat(address % (16 * MIB)).isZero();
    memory.release(address, MIB);
    olderWindows.stealReleasedAddresses(Integer.MAX_VALUE);
    assertRefused("ERROR_INVALID_ADDRESS", () -> memory.reserve(MIB, 16 * MIB, Access.NONE));
  }

  @Test
  void windowsAsksForLargePagesUntilItIsRefused() {
    WindowsMemory memory = new WindowsMemory(windows);
    windows.provideLargePages(4 * MIB);
    long first = memory.reserveLarge(4 * MIB, 4_096);
    assertThat(first % (2 * MIB)).isZero();
    windows.requireUsable(first, 4 * MIB);
    assertThat(memory.fallbacks()).isEqualTo(Fallbacks.NONE);
    long second = memory.reserveLarge(2 * MIB, 4_096);
    windows.requireUsable(second, 2 * MIB);
    windows.provideLargePages(4 * MIB);
    long third = memory.reserveLarge(2 * MIB, 4_096);
    assertThat(memory.fallbacks()).isEqualTo(new Fallbacks(4 * MIB, 0));
    memory.release(first, 4 * MIB);
    memory.release(second, 2 * MIB);
    memory.release(third, 2 * MIB);
  }

  /** What is reset may be lost or not: a program that counts on either is found. */
  @Test
  void windowsLosesHalfOfWhatIsReset() {
    WindowsMemory memory = new WindowsMemory(windows);
    long address = memory.reserve(65_536, 65_536, Access.NONE);
    memory.commit(address, 65_536);
    RawBytes.fill(address, 65_536, (byte) 7);
    memory.reset(address, 65_536);
    memory.commit(address, 65_536);
    assertThat(RawBytes.get(address)).isEqualTo((byte) 7);
    assertThat(RawBytes.get(address + 4_096)).isZero();
    memory.release(address, 65_536);
  }

  // ---- macOS

  @Test
  void darwinZeroesNothingOnAdvice() {
    MacMemory memory = new MacMemory(darwin);
    long address = memory.reserve(MIB, 16_384, Access.NONE);
    memory.commit(address, MIB);
    RawBytes.fill(address, MIB, (byte) 7);
    darwin.madvise(address, MIB, MacConstants.MADV_FREE_REUSABLE);
    darwin.madvise(address, MIB, MacConstants.MADV_FREE_REUSE);
    assertThat(RawBytes.firstOtherThan(address, MIB, (byte) 0)).isNotNegative();
    assertThat(RawBytes.firstOtherThan(address, MIB, (byte) 7)).isNotNegative();
    memory.decommit(address, MIB);
    memory.commit(address, MIB);
    assertThat(RawBytes.firstOtherThan(address, MIB, (byte) 0)).isEqualTo(-1);
    memory.release(address, MIB);
  }

  @Test
  void darwinKnowsNoSmallerPagesAndNoOtherAdvice() {
    MacMemory memory = new MacMemory(darwin);
    long address = memory.reserve(MIB, 16_384, Access.NONE);
    memory.commit(address, MIB);
    assertBites("mprotect", () -> darwin.mprotect(address + 4_096, 16_384, 0));
    assertBites("munmap", () -> darwin.munmap(address, 4_096));
    assertBites(
        "mmap in place",
        () ->
            darwin.mmap(
                address + MIB,
                16_384,
                0,
                MacConstants.MAP_PRIVATE | MacConstants.MAP_ANON | MacConstants.MAP_FIXED));
    assertBites("advice 4", () -> darwin.madvise(address, MIB, 4));
    assertBites("getentropy", () -> darwin.getentropy(new byte[257]));
    memory.release(address, MIB);
  }

  // ---- strict operating systems

  @Test
  void aStrictSystemRefusesToCommitBeyondItsLimit() {
    StrictCommitModel memory = new StrictCommitModel(real, MIB, false);
    long address = memory.reserve(64 * MIB, 4_096, Access.NONE);
    memory.commit(address, MIB / 2);
    memory.commit(address, MIB);
    assertThat(memory.chargedBytes()).isEqualTo(MIB);
    assertRefused("ENOMEM", () -> memory.commit(address + MIB, 4_096));
    memory.decommit(address, 4_096);
    memory.commit(address + MIB, 4_096);
    memory.release(address, 64 * MIB);
    assertThat(memory.chargedBytes()).isZero();
    assertThat(memory.capabilities().commitIsFree()).isFalse();
  }

  @Test
  void aStricterSystemRefusesToReserveBeyondItsLimit() {
    StrictCommitModel memory = new StrictCommitModel(real, MIB, true);
    assertRefused("ENOMEM", () -> memory.reserve(MIB + 4_096, 4_096, Access.NONE));
    long address = memory.reserve(MIB, 4_096, Access.NONE);
    assertRefused("ENOMEM", () -> memory.reserve(4_096, 4_096, Access.NONE));
    memory.commit(address, MIB);
    assertThat(memory.chargedBytes()).isEqualTo(MIB);
    memory.release(address, MIB);
    assertThat(memory.chargedBytes()).isZero();
  }
}
