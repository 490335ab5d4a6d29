// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.segment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ashlar.alloc.prim.RawMemory;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PageTest {

  private static final PageOwner OWNER = () -> null;

  private final TestSpace space = new TestSpace(2);
  private final SpanAllocator spans = space.spans(SegmentPool.DEFAULT);

  @AfterEach
  void close() {
    spans.close();
    space.close();
  }

  @Test
  void findsTheBlockOfEveryAddress() {
    for (int c = 1; c <= SizeClasses.LAST_MEDIUM; c++) {
      Page page = spans.takePage(OWNER, c);
      int size = SizeClasses.bytes(c);
      long start = page.addressOf(0);
      long bytes = page.span().bytes();
      for (long offset = 0; offset < bytes; offset++) {
        if (page.indexOf(start + offset) != offset / size) {
          throw new AssertionError("class " + c + ", offset " + offset);
        }
      }
      assertThat(page.capacity()).isEqualTo((int) (bytes / size));
      assertThat(page.spans(start)).isTrue();
      assertThat(page.spans(start + bytes - 1)).isTrue();
      assertThat(page.spans(start + bytes)).isFalse();
      assertThat(page.spans(start - 1)).isFalse();
      spans.givePage(page);
    }
  }

  @Test
  void givesOutEachBlockOnceLowestAddressLastInMemory() {
    Page page = spans.takePage(OWNER, SizeClasses.of(48));
    Page buffer = spans.takePage(OWNER, SizeClasses.LAST_MEDIUM);
    long row = buffer.addressOf(0);
    Set<Long> seen = new HashSet<>();
    int total = 0;
    int got;
    while ((got = page.take(row + 8L * 99, 100)) > 0) {
      long before = 0;
      for (int i = 0; i < got; i++) {
        long address = RawMemory.getLong(row + 8L * (99 - i));
        assertThat(address).isGreaterThan(before);
        assertThat(seen.add(address)).isTrue();
        assertThat((address - page.addressOf(0)) % 48).isZero();
        before = address;
      }
      total += got;
    }
    assertThat(total).isEqualTo(page.capacity());
    assertThat(page.freeCount()).isZero();
  }

  @Test
  void tellsABlockThatIsBackAlready() {
    Page page = spans.takePage(OWNER, SizeClasses.of(64));
    long address = page.takeOne();
    int index = page.indexOf(address);
    assertThat(page.isFree(index)).isFalse();
    assertThat(page.give(index)).isTrue();
    assertThat(page.give(index)).isFalse();
    assertThat(page.freeCount()).isEqualTo(page.capacity());
  }

  @Test
  void movesRemoteBlocksToTheOwnerOnceAndMarksThePageOnce() {
    Page page = spans.takePage(OWNER, SizeClasses.of(64));
    for (int i = 0; i < page.capacity(); i++) {
      page.takeOne();
    }
    assertThat(page.giveRemote(1, 0b101)).isZero();
    assertThat(page.markPending()).isTrue();
    assertThat(page.giveRemote(1, 0b110)).isEqualTo(0b100);
    assertThat(page.markPending()).isFalse();
    assertThat(page.isFree(64)).isTrue();
    assertThat(Invariants.checkPage(page)).isEqualTo(page.capacity() - 3);
    assertThat(page.drainRemote()).isEqualTo(3);
    assertThat(page.drainRemote()).isZero();
    assertThat(page.freeCount()).isEqualTo(3);
    assertThat(page.markPending()).isTrue();
    assertThat(Invariants.checkPage(page)).isEqualTo(page.capacity() - 3);
  }

  @Test
  void aBlockFreedByItsOwnerAndByAnotherThreadCountsOnce() {
    Page page = spans.takePage(OWNER, SizeClasses.of(64));
    int index = page.indexOf(page.takeOne());
    page.takeOne();
    assertThat(page.giveRemote(index >>> 6, 1L << index)).isZero();
    assertThat(page.give(index)).isTrue();
    assertThat(page.drainRemote()).isZero();
    assertThat(page.freeCount()).isEqualTo(page.capacity() - 1);
    assertThat(Invariants.checkPage(page)).isEqualTo(1);
  }

  @Test
  void listKeepsItsLinksInAnyOrderOfRemoval() {
    Page a = spans.takePage(OWNER, 1);
    Page b = spans.takePage(OWNER, 1);
    Page c = spans.takePage(OWNER, 1);
    PageList list = new PageList();
    list.add(a);
    assertThat(list.isOnly(a)).isTrue();
    list.add(b);
    list.add(c);
    list.remove(b);
    assertThat(list.head()).isSameAs(c);
    assertThat(list.after(c)).isSameAs(a);
    assertThat(b.listed()).isFalse();
    list.remove(c);
    assertThat(list.isOnly(a)).isTrue();
    list.remove(a);
    assertThat(list.head()).isNull();
  }
}
