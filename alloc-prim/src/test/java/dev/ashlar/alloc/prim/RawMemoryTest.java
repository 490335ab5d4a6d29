// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.prim;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Raw access reads and writes what a segment over the same memory does. */
class RawMemoryTest {

  private final Arena arena = Arena.ofShared();
  private final MemorySegment segment = arena.allocate(4_096, 4_096);
  private final long address = segment.address();

  @AfterEach
  void close() {
    arena.close();
  }

  @Test
  void bytesAreReadAndWrittenAtAnyAddress() {
    for (long at = 0; at < 32; at++) {
      RawMemory.putByte(address + at, (byte) (at - 16));
      assertThat(segment.get(JAVA_BYTE, at)).isEqualTo((byte) (at - 16));
      segment.set(JAVA_BYTE, at, (byte) (3 * at));
      assertThat(RawMemory.getByte(address + at)).isEqualTo((byte) (3 * at));
    }
  }

  @Test
  void longsAreReadAndWrittenAtAnyAddress() {
    for (long at = 0; at < 32; at++) {
      long value = 0x0123456789ABCDEFL * (at + 1);
      RawMemory.putLong(address + at, value);
      assertThat(segment.get(JAVA_LONG_UNALIGNED, at)).isEqualTo(value);
      segment.set(JAVA_LONG_UNALIGNED, at, ~value);
      assertThat(RawMemory.getLong(address + at)).isEqualTo(~value);
    }
  }

  @Test
  void longsAreReadAndWrittenWithVolatileSemantics() {
    for (long at = 0; at < 64; at += 8) {
      RawMemory.putLongVolatile(address + at, at - 32);
      assertThat(segment.get(JAVA_LONG, at)).isEqualTo(at - 32);
      assertThat(RawMemory.getLongVolatile(address + at)).isEqualTo(at - 32);
    }
  }

  @Test
  void volatileAccessNeedsAnAlignedAddress() {
    assertThatThrownBy(() -> RawMemory.getLongVolatile(address + 4))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> RawMemory.putLongVolatile(address + 1, 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aNegativeAddressIsOutOfBounds() {
    assertThatThrownBy(() -> RawMemory.getByte(-1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> RawMemory.putLong(Long.MIN_VALUE, 1))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void rangesAreCopiedAlsoWhenTheyOverlap() {
    for (int i = 0; i < 64; i++) {
      segment.set(JAVA_BYTE, i, (byte) i);
    }
    RawMemory.copy(address, address + 8, 56);
    for (int i = 0; i < 56; i++) {
      assertThat(segment.get(JAVA_BYTE, i + 8)).isEqualTo((byte) i);
    }
    RawMemory.copy(address + 8, address, 56);
    for (int i = 0; i < 56; i++) {
      assertThat(segment.get(JAVA_BYTE, i)).isEqualTo((byte) i);
    }
  }

  @Test
  void longsAreCopiedToAndFromArrays() {
    long[] from = {1, 2, 3, 4, 5};
    RawMemory.copyFromArray(from, 1, address + 4, 3);
    assertThat(segment.get(JAVA_LONG_UNALIGNED, 4)).isEqualTo(2);
    assertThat(segment.get(JAVA_LONG_UNALIGNED, 20)).isEqualTo(4);
    assertThat(segment.get(JAVA_LONG_UNALIGNED, 28)).isZero();
    long[] to = new long[5];
    RawMemory.copyToArray(address + 4, to, 2, 3);
    assertThat(to).containsExactly(0, 0, 2, 3, 4);
  }

  @Test
  void exactlyTheBytesOfARangeAreFilled() {
    RawMemory.fill(address + 3, 10, (byte) 7);
    for (int i = 0; i < 16; i++) {
      assertThat(segment.get(JAVA_BYTE, i)).isEqualTo((byte) (i >= 3 && i < 13 ? 7 : 0));
    }
    RawMemory.fill(address, 0, (byte) 9);
    assertThat(segment.get(JAVA_BYTE, 0)).isZero();
  }

  @Test
  void aWrappedRangeLivesAsLongAsItsScope() {
    Arena scope = Arena.ofShared();
    MemorySegment wrapped = RawMemory.wrap(address + 8, 24, scope);
    wrapped.fill((byte) 5);
    assertThat(wrapped.byteSize()).isEqualTo(24);
    assertThat(segment.get(JAVA_BYTE, 7)).isZero();
    assertThat(segment.get(JAVA_BYTE, 31)).isEqualTo((byte) 5);
    assertThat(segment.get(JAVA_BYTE, 32)).isZero();
    assertThatThrownBy(() -> wrapped.get(JAVA_BYTE, 24))
        .isInstanceOf(IndexOutOfBoundsException.class);
    scope.close();
    assertThatThrownBy(() -> wrapped.get(JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
    assertThat(segment.get(JAVA_BYTE, 8)).isEqualTo((byte) 5);
  }
}
