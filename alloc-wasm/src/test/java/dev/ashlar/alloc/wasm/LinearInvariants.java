// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.wasm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ashlar.alloc.wasm.LinearSpan.Kind;
import java.util.HashSet;
import java.util.Set;

/** Walks a reclaiming allocator and checks what must hold between its calls. */
final class LinearInvariants {

  private LinearInvariants() {}

  static void check(ReclaimingAllocator allocator) {
    LinearSpans spans = allocator.spans;
    Set<LinearPage> withFreeBlocks = new HashSet<>();
    boolean freeBefore = false;
    long live = 0;
    int slice = spans.firstSlice;
    while (slice < spans.end) {
      LinearSpan span = spans.at(slice);
      assertThat(span.first).as("beginning of the span entered at %s", slice).isEqualTo(slice);
      assertThat(spans.at(span.end() - 1)).as("end of the span at %s", slice).isSameAs(span);
      assertThat(freeBefore && span.kind == Kind.FREE).as("free neighbours at %s", slice).isFalse();
      freeBefore = span.kind == Kind.FREE;
      LinearPage page = span.page;
      if (page != null) {
        assertThat(span.kind).isEqualTo(Kind.PAGE);
        for (int inside = slice; inside < span.end(); inside++) {
          assertThat(spans.at(inside)).as("page at %s", inside).isSameAs(span);
        }
        int free = 0;
        for (int block = 0; block < page.capacity; block++) {
          free += page.isFree(block) ? 1 : 0;
        }
        assertThat(page.freeCount).as("free blocks of the page at %s", slice).isEqualTo(free);
        live += (long) (page.capacity - free) * page.blockBytes;
        if (free > 0) {
          withFreeBlocks.add(page);
        }
      } else if (span.kind == Kind.LARGE) {
        live += span.bytes();
      } else if (span.kind == Kind.FREE) {
        assertThat(spans.bins.bestFit(span.slices, 1))
            .as("best fit for its own length")
            .isNotNull();
      }
      slice = span.end();
    }
    assertThat(slice).as("end of the last span").isEqualTo(spans.end);
    assertThat(allocator.stats().liveBytes()).isEqualTo(live);
    Set<LinearPage> listed = new HashSet<>();
    for (LinearPage head : allocator.pages) {
      for (LinearPage page = head; page != null; page = page.next) {
        listed.add(page);
      }
    }
    assertThat(listed).as("pages with free blocks").isEqualTo(withFreeBlocks);
  }
}
