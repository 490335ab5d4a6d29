// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ashlar.alloc.api.ProcessMemory;
import dev.ashlar.alloc.prim.VirtualMemory;
import dev.ashlar.alloc.prim.VirtualMemory.Access;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What {@link VirtualMemory} promises of the backing of ranges: states, contents, access. */
@SuppressWarnings("exports") // alloc-prim is for the modules of the family
public abstract class BackingContract {

  static final long MIB = 1L << 20;

  /** The binding of one test. */
  VirtualMemory memory;

  /** The size of its OS page. */
  long page;

  /** For subclasses. */
  protected BackingContract() {}

  /**
   * Returns the binding under test. It is called before each test.
   *
   * @return a binding that fits this machine
   */
  protected abstract VirtualMemory memory();

  /** Gets the binding of one test. */
  @BeforeEach
  public final void bind() {
    memory = memory();
    page = memory.osPageBytes();
  }

  /** Committed memory is zero at first, and committing again keeps what was written. */
  @Test
  public void committedMemoryIsZeroAndKeepsItsContents() {
    long address = memory.reserve(MIB, page, Access.NONE);
    memory.commit(address, MIB / 2);
    assertThat(RawBytes.firstOtherThan(address, MIB / 2, (byte) 0)).isEqualTo(-1);
    Canary.FULL.paint(address, MIB / 2, 1);
    memory.commit(address, MIB);
    assertThat(Canary.FULL.firstDamage(address, MIB / 2, MIB / 2, 1)).isEqualTo(-1);
    assertThat(RawBytes.firstOtherThan(address + MIB / 2, MIB / 2, (byte) 0)).isEqualTo(-1);
    memory.release(address, MIB);
  }

  /** Decommitting loses the contents of exactly that part. */
  @Test
  public void decommittedMemoryIsZeroWhenCommittedAgain() {
    assumeTrue(memory.capabilities().canDecommit());
    long address = memory.reserve(MIB, page, Access.NONE);
    memory.commit(address, MIB);
    RawBytes.fill(address, MIB, (byte) 7);
    memory.decommit(address + page, MIB - 2 * page);
    assertThat(RawBytes.firstOtherThan(address, page, (byte) 7)).isEqualTo(-1);
    assertThat(RawBytes.firstOtherThan(address + MIB - page, page, (byte) 7)).isEqualTo(-1);
    if (memory.capabilities().decommitKeepsAccess()) {
      assertThat(RawBytes.firstOtherThan(address + page, MIB - 2 * page, (byte) 0)).isEqualTo(-1);
    }
    memory.commit(address + page, MIB - 2 * page);
    assertThat(RawBytes.firstOtherThan(address + page, MIB - 2 * page, (byte) 0)).isEqualTo(-1);
    RawBytes.fill(address, MIB, (byte) 8);
    memory.release(address, MIB);
  }

  /** What was reserved to be read can be read again when it is decommitted, and is zero. */
  @Test
  public void aReadableReservationReadsAsZerosWhenItIsDecommitted() {
    assumeTrue(memory.capabilities().canDecommit());
    long address = memory.reserve(MIB, page, Access.READ);
    memory.commit(address, MIB);
    RawBytes.fill(address, MIB, (byte) 7);
    memory.decommit(address + page, MIB - 2 * page);
    assertThat(RawBytes.firstOtherThan(address + page, MIB - 2 * page, (byte) 0)).isEqualTo(-1);
    assertThat(RawBytes.firstOtherThan(address, page, (byte) 7)).isEqualTo(-1);
    assertThat(RawBytes.firstOtherThan(address + MIB - page, page, (byte) 7)).isEqualTo(-1);
    memory.commit(address, MIB);
    assertThat(RawBytes.firstOtherThan(address + page, MIB - 2 * page, (byte) 0)).isEqualTo(-1);
    RawBytes.fill(address, MIB, (byte) 8);
    memory.release(address, MIB);
  }

  /** A range may be of pages in different states when it is decommitted, and when committed. */
  @Test
  public void rangesOfMixedStatesAreDecommittedAndCommitted() {
    assumeTrue(memory.capabilities().canDecommit());
    long address = memory.reserve(MIB, page, Access.NONE);
    memory.commit(address, 2 * page);
    memory.commit(address + 4 * page, page);
    RawBytes.fill(address, 2 * page, (byte) 7);
    memory.decommit(address + page, MIB - page);
    memory.decommit(address + page, MIB - page);
    memory.commit(address, MIB);
    assertThat(RawBytes.firstOtherThan(address, page, (byte) 7)).isEqualTo(-1);
    assertThat(RawBytes.firstOtherThan(address + page, MIB - page, (byte) 0)).isEqualTo(-1);
    memory.release(address, MIB);
  }

  /** A page that was reset is as it was or zero, can be used again, and its neighbours stay. */
  @Test
  public void resetMemoryIsUsableWhenItIsCommittedAgain() {
    assumeTrue(memory.capabilities().canReset());
    long address = memory.reserve(MIB, page, Access.NONE);
    memory.commit(address, MIB);
    RawBytes.fill(address, MIB, (byte) 7);
    memory.reset(address + page, MIB - 2 * page);
    memory.commit(address + page, MIB - 2 * page);
    for (long at = address; at < address + MIB; at += page) {
      byte first = RawBytes.get(at);
      assertThat(first).isIn((byte) 0, (byte) 7);
      assertThat(RawBytes.firstOtherThan(at, page, first)).isEqualTo(-1);
    }
    assertThat(RawBytes.get(address)).isEqualTo((byte) 7);
    assertThat(RawBytes.get(address + MIB - page)).isEqualTo((byte) 7);
    RawBytes.fill(address, MIB, (byte) 8);
    assertThat(RawBytes.firstOtherThan(address, MIB, (byte) 8)).isEqualTo(-1);
    memory.reset(address, MIB);
    memory.decommit(address, MIB);
    memory.commit(address, MIB);
    assertThat(RawBytes.firstOtherThan(address, MIB, (byte) 0)).isEqualTo(-1);
    memory.release(address, MIB);
  }

  /** Remapping moves the contents of exactly the range; where it was is decommitted. */
  @Test
  public void remappedMemoryHasItsContentsAtItsNewAddress() {
    assumeTrue(memory.capabilities().canRemap());
    long address = memory.reserve(64 * MIB, page, Access.NONE);
    long from = address + MIB;
    long to = address + 32 * MIB;
    memory.commit(from, 8 * MIB);
    Canary.FULL.paint(from, 8 * MIB, 4);
    memory.remap(from, to, 8 * MIB);
    assertThat(Canary.FULL.firstDamage(to, 8 * MIB, 8 * MIB, 4)).isEqualTo(-1);
    memory.commit(to + 8 * MIB, 8 * MIB);
    assertThat(RawBytes.firstOtherThan(to + 8 * MIB, 8 * MIB, (byte) 0)).isEqualTo(-1);
    RawBytes.fill(to, 16 * MIB, (byte) 9);
    memory.commit(from, 8 * MIB);
    assertThat(RawBytes.firstOtherThan(from, 8 * MIB, (byte) 0)).isEqualTo(-1);
    RawBytes.fill(from, 8 * MIB, (byte) 3);
    assertThat(RawBytes.firstOtherThan(to, 16 * MIB, (byte) 9)).isEqualTo(-1);
    assertThatThrownBy(() -> memory.remap(from, from + page, 2 * page))
        .isInstanceOf(IllegalArgumentException.class);
    memory.release(address, 64 * MIB);
  }

  /** Remapping takes no copy: what was resident is so once, before and after. */
  @Test
  public void remappingDoesNotDoubleWhatIsResident() {
    assumeTrue(memory.capabilities().canRemap());
    long bytes = 256 * MIB;
    long address = memory.reserve(2 * bytes, page, Access.NONE);
    memory.commit(address, bytes);
    RawBytes.fill(address, bytes, (byte) 1);
    long before = memory.processMemory().residentBytes();
    memory.remap(address, address + bytes, bytes);
    long after = memory.processMemory().residentBytes();
    memory.release(address, 2 * bytes);
    assertThat(Math.abs(after - before)).isLessThan(bytes / 2);
  }

  /** Large pages, given or not, are committed memory like any other. */
  @Test
  public void memoryOfLargePagesIsMemory() {
    long large = Math.max(memory.largePageBytes(), 2 * MIB);
    long counted = memory.fallbacks().ordinaryPageBytes();
    long address = memory.reserve(4 * large, large, Access.NONE);
    memory.commitLarge(address, 2 * large);
    assertUsable(address, 2 * large);
    if (memory.capabilities().canDecommit()) {
      memory.decommit(address + large, large);
      memory.commit(address + large, large);
      assertThat(RawBytes.firstOtherThan(address + large, large, (byte) 0)).isEqualTo(-1);
    }
    memory.release(address, 4 * large);
    long other = memory.reserveLarge(2 * large, large);
    assertThat(other % large).isZero();
    assertUsable(other, 2 * large);
    memory.release(other, 2 * large);
    long fellBack = memory.fallbacks().ordinaryPageBytes() - counted;
    if (memory.largePageBytes() == 0) {
      assertThat(fellBack).isEqualTo(4 * large);
    } else {
      assertThat(fellBack).isBetween(0L, 4 * large);
    }
  }

  /** Ranges of no whole large page are committed too, with ordinary pages, which is counted. */
  @Test
  public void aRangeOfNoWholeLargePageFallsBack() {
    long counted = memory.fallbacks().ordinaryPageBytes();
    long address = memory.reserve(MIB, page, Access.NONE);
    memory.commitLarge(address + page, 3 * page);
    assertUsable(address + page, 3 * page);
    memory.release(address, MIB);
    assertThat(memory.fallbacks().ordinaryPageBytes() - counted).isEqualTo(3 * page);
  }

  private static void assertUsable(long address, long bytes) {
    assertThat(RawBytes.firstOtherThan(address, bytes, (byte) 0)).isEqualTo(-1);
    Canary.FULL.paint(address, bytes, 6);
    assertThat(Canary.FULL.firstDamage(address, bytes, bytes, 6)).isEqualTo(-1);
  }

  /** Preferences change nothing of the contents, fulfilled or not. */
  @Test
  public void preferencesKeepTheContents() {
    long refused = memory.fallbacks().refusedNodes();
    long address = memory.reserve(MIB, page, Access.NONE);
    memory.commit(address, MIB);
    Canary.FULL.paint(address, MIB / 2, 2);
    memory.preferNode(address, MIB, 0);
    memory.preferNode(address, MIB, 63);
    memory.populate(address, MIB);
    assertThat(Canary.FULL.firstDamage(address, MIB / 2, MIB / 2, 2)).isEqualTo(-1);
    assertThat(RawBytes.firstOtherThan(address + MIB / 2, MIB / 2, (byte) 0)).isEqualTo(-1);
    assertThat(memory.fallbacks().refusedNodes() - refused).isBetween(0L, 2L);
    memory.release(address, MIB);
  }

  /** Protecting keeps the contents, and what is readable can still be read. */
  @Test
  public void protectedMemoryKeepsItsContents() {
    assumeTrue(memory.capabilities().canProtect());
    long address = memory.reserve(MIB, page, Access.NONE);
    memory.commit(address, MIB);
    Canary.FULL.paint(address, MIB, 3);
    memory.protect(address, page, Access.READ);
    memory.protect(address + page, page, Access.NONE);
    assertThat(Canary.FULL.firstDamage(address, page, MIB, 3)).isEqualTo(-1);
    memory.protect(address, page, Access.READ_WRITE);
    memory.commit(address + page, page);
    assertThat(Canary.FULL.firstDamage(address, MIB, MIB, 3)).isEqualTo(-1);
    RawBytes.fill(address, MIB, (byte) 8);
    memory.release(address, MIB);
  }

  /** What is touched becomes resident, and stops being so when it is decommitted. */
  @Test
  public void residentMemoryFollowsWhatIsTouchedAndDecommitted() {
    assumeTrue(memory.capabilities().canDecommit());
    long bytes = 256 * MIB;
    long address = memory.reserve(bytes, page, Access.NONE);
    memory.commit(address, bytes);
    long before = memory.processMemory().residentBytes();
    RawBytes.fill(address, bytes, (byte) 1);
    ProcessMemory touched = memory.processMemory();
    memory.decommit(address, bytes);
    long after = memory.processMemory().residentBytes();
    memory.release(address, bytes);
    // Other parts of this process move by far less than half of the range.
    assertThat(touched.residentBytes() - before).isGreaterThan(bytes / 2);
    assertThat(touched.residentBytes() - after).isGreaterThan(bytes / 2);
    assertThat(touched.peakResidentBytes()).isGreaterThan(bytes / 2);
  }

  /** What is committed counts as such, at the latest when it is touched. */
  @Test
  public void committedMemoryIsCounted() {
    long bytes = 256 * MIB;
    long address = memory.reserve(bytes, page, Access.NONE);
    long before = memory.processMemory().committedBytes();
    memory.commit(address, bytes);
    RawBytes.fill(address, bytes, (byte) 1);
    long after = memory.processMemory().committedBytes();
    memory.release(address, bytes);
    assertThat(after - before).isGreaterThan(bytes / 2);
    assertThat(after - memory.processMemory().committedBytes()).isGreaterThan(bytes / 2);
  }
}
