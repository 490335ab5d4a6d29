// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.integrations.chicory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.dylibso.chicory.runtime.ImportValues;
import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.runtime.TrapException;
import com.dylibso.chicory.wasm.Parser;
import com.dylibso.chicory.wasm.types.MemoryLimits;
import dev.ashlar.alloc.api.MemoryMisuseException;
import dev.ashlar.alloc.api.NativeMemoryExhaustedError;
import dev.ashlar.alloc.wasm.BumpAllocator;
import dev.ashlar.alloc.wasm.GrowthRefusedException;
import dev.ashlar.alloc.wasm.ReclaimingAllocator;
import dev.ashlar.alloc.wasm.ScopedAllocator;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.Test;

/** A guest that imports the C library's allocation functions. */
class GuestMallocTest {

  private static final int PAGES = 16;

  private final GuestMalloc malloc = new GuestMalloc(ReclaimingAllocator::new);
  private final Instance guest = instance("caller", malloc);

  private static Instance instance(String name, GuestMalloc malloc) {
    try (InputStream in = GuestMallocTest.class.getResourceAsStream(name + ".wasm")) {
      return Instance.builder(Parser.parse(in))
          .withMemoryLimits(new MemoryLimits(1, PAGES))
          .withImportValues(ImportValues.builder().addFunction(malloc.functions()).build())
          .build();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private int call(String function, int... args) {
    return call(guest, function, args);
  }

  private static int call(Instance instance, String function, int... args) {
    long[] raw = new long[args.length];
    for (int i = 0; i < args.length; i++) {
      raw[i] = args[i];
    }
    long[] result = instance.export(function).apply(raw);
    return result == null || result.length == 0 ? 0 : (int) result[0];
  }

  @Test
  void aGuestsBlocksAreItsOwnMemory() {
    int block = call("do_malloc", 100);
    guest.memory().fill((byte) 7, block, block + 100);

    int moved = call("do_realloc", block, 100_000);

    assertThat(guest.memory().readBytes(moved, 100)).containsOnly(7);
    assertThat(call("do_usable", moved)).isGreaterThanOrEqualTo(100_000);
    assertThat(guest.memory().pages()).isEqualTo(2);
    call("do_free", moved);
    call("do_free", 0);
    assertThat(malloc.allocator().stats().liveBytes()).isZero();
    assertThat(malloc.calls()).isEqualTo(5);
  }

  @Test
  void reusedMemoryIsZeroedByCalloc() {
    int block = call("do_malloc", 20_000);
    guest.memory().fill((byte) 7, block, block + 20_000);
    call("do_free", block);

    int zeroed = call("do_calloc", 200, 100);

    assertThat(zeroed).isEqualTo(block);
    assertThat(guest.memory().readBytes(zeroed, 20_000)).containsOnly(0);
  }

  @Test
  void sizesAndAlignmentsAreThoseOfC() {
    assertThat(call("do_aligned", 4_096, 10) % 4_096).isZero();
    assertThat(call("do_aligned", 24, 10)).isZero();
    assertThat(call("do_aligned", 0, 10)).isZero();
    assertThat(call("do_usable", 0)).isZero();
    assertThat(call("do_calloc", 0x10001, 0x10000)).as("a product beyond 32 bits").isZero();
    assertThat(call("do_malloc", -1)).as("4 GiB less one byte").isZero();
    int empty = call("do_malloc", 0);
    int other = call("do_realloc", 0, 0);
    assertThat(empty).isNotZero().isNotEqualTo(other);
    call("do_free", call("do_realloc", empty, 0));
    call("do_free", other);
  }

  @Test
  void aBadPointerIsATrapAndTheHostGoesOn() {
    int block = call("do_malloc", 64);
    call("do_free", block);
    for (int bad : new int[] {block, block + 8, 8, -16}) {
      assertThatThrownBy(() -> call("do_free", bad))
          .isInstanceOf(TrapException.class)
          .hasMessageStartingWith("free: address 0x")
          .hasCauseInstanceOf(MemoryMisuseException.class);
      assertThatThrownBy(() -> call("do_realloc", bad, 10)).isInstanceOf(TrapException.class);
      assertThatThrownBy(() -> call("do_usable", bad)).isInstanceOf(TrapException.class);
    }
    assertThat(call("do_malloc", 64)).isEqualTo(block);
  }

  @Test
  void exhaustionIsNullAndTheHostLearnsWhy() {
    assertThat(malloc.refusal()).isEmpty();
    int kept = call("do_malloc", 600_000);
    int pages = guest.memory().pages();

    assertThat(call("do_malloc", 600_000)).isZero();
    assertThat(call("do_realloc", kept, 2_000_000)).isZero();

    assertThat(guest.memory().pages()).isEqualTo(pages);
    NativeMemoryExhaustedError refusal = malloc.refusal().orElseThrow();
    assertThat(refusal.limit()).isEqualTo(PAGES << 16);
    assertThat(refusal).hasCauseInstanceOf(GrowthRefusedException.class);
    call("do_free", kept);
    assertThat(call("do_malloc", 900_000)).isNotZero();
  }

  @Test
  void aHostPassesStringsThatAreFreedWithTheirScope() {
    malloc.attach(guest);
    try (GuestScope scope = malloc.scope()) {
      assertThat(call("length", scope.string("na\u00efve"))).isEqualTo(6);
      int bytes = scope.bytes(new byte[] {1, 2, 3});
      assertThat(scope.read(bytes, 3)).containsExactly(1, 2, 3);
      assertThat(scope.read(scope.allocate(1_000), 1_000)).containsOnly(0);
      assertThatThrownBy(() -> scope.string("a\0b")).isInstanceOf(IllegalArgumentException.class);
      for (int i = 0; i < 20; i++) {
        scope.allocate(i);
      }
      assertThat(malloc.allocator().stats().liveBytes()).isGreaterThan(1_000);
    }
    GuestScope closed = malloc.scope();
    closed.close();
    assertThatThrownBy(() -> closed.allocate(1)).isInstanceOf(IllegalStateException.class);
    assertThat(malloc.allocator().stats().liveBytes()).isZero();
  }

  @Test
  void marksReachAScopedAllocator() {
    GuestMalloc scoped =
        new GuestMalloc((memory, base) -> new ScopedAllocator(memory, base, false));
    Instance phased = instance("caller", scoped);
    int mark = call(phased, "do_mark");
    int block = call(phased, "do_malloc", 1_000);
    assertThatThrownBy(() -> call(phased, "do_reset", mark + 1)).isInstanceOf(TrapException.class);
    call(phased, "do_reset", mark);

    assertThat(call(phased, "do_malloc", 1_000)).isEqualTo(block);
    assertThat(call("do_mark")).as("a mark of an allocator without scopes").isZero();
    call("do_reset", 0);
  }

  @Test
  void oneObjectServesOneInstance() {
    GuestMalloc one = new GuestMalloc(BumpAllocator::new);
    assertThatThrownBy(one::allocator).isInstanceOf(IllegalStateException.class);
    Instance first = instance("caller", one);
    Instance second = instance("caller", one);
    call(first, "do_malloc", 1);

    assertThatThrownBy(() -> call(second, "do_malloc", 1))
        .isInstanceOf(TrapException.class)
        .hasMessageContaining("another instance");
    assertThat(call(first, "do_malloc", 1)).isNotZero();
  }

  @Test
  void aGuestWithoutHeapBaseIsTold() {
    Instance baseless = instance("baseless", new GuestMalloc(BumpAllocator::new));

    assertThatThrownBy(() -> call(baseless, "do_malloc", 1))
        .isInstanceOf(TrapException.class)
        .hasMessageContaining("exports no __heap_base");
  }
}
