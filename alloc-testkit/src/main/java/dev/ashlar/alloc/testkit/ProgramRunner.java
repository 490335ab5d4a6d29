// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.api.NativeMemoryExhaustedError;
import dev.ashlar.alloc.api.RawAllocator;
import dev.ashlar.alloc.prim.RawMemory;
import dev.ashlar.alloc.testkit.Operation.Allocate;
import dev.ashlar.alloc.testkit.Operation.AllocateInArena;
import dev.ashlar.alloc.testkit.Operation.Check;
import dev.ashlar.alloc.testkit.Operation.CloseArena;
import dev.ashlar.alloc.testkit.Operation.Free;
import dev.ashlar.alloc.testkit.Operation.Misuse;
import dev.ashlar.alloc.testkit.Operation.OpenArena;
import dev.ashlar.alloc.testkit.Operation.Refuse;
import dev.ashlar.alloc.testkit.Operation.Resize;
import dev.ashlar.alloc.testkit.Operation.Resizing;
import dev.ashlar.alloc.testkit.ShadowModel.Range;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * Makes the calls of a program on an allocator and compares every outcome with a {@link
 * ShadowModel}.
 *
 * <p>A step that the allocator refuses with {@link NativeMemoryExhaustedError} leaves the model as
 * it was and may be made again.
 */
public final class ProgramRunner {

  private static final int MOST_ARENAS = 8;

  /** An arena that is open, with what it gave out. */
  private record Opened(Arena arena, List<MemorySegment> segments, List<Range> ranges) {}

  private final Allocator allocator;
  private final RawAllocator raw;
  private final ProgramOptions options;
  private final Executor elsewhere;
  private final WrongCalls wrongCalls;
  private final ShadowModel model;
  private final LiveCounters before;
  private final List<Opened> arenas = new ArrayList<>();

  /**
   * Makes a runner with an empty model.
   *
   * @param allocator what to call
   * @param options how to run; the same that the program was made with
   * @param elsewhere runs a step in another thread, and has run it when it returns; one that runs
   *     it later is allowed for programs that are not {@linkplain ProgramOptions#alone() alone}
   * @param tag what tells this runner's canaries from those of others on the same allocator
   */
  public ProgramRunner(Allocator allocator, ProgramOptions options, Executor elsewhere, long tag) {
    this.allocator = allocator;
    this.raw = allocator.raw();
    this.options = options;
    this.elsewhere = elsewhere;
    this.wrongCalls = new WrongCalls(allocator);
    this.model = new ShadowModel(tag, options.fullCanaryBytes());
    this.before = LiveCounters.of(allocator);
  }

  /**
   * Makes one step.
   *
   * @param operation the step
   * @throws AssertionError if the outcome is not that of the model
   * @throws NativeMemoryExhaustedError if there is no memory for the step
   */
  public void run(Operation operation) {
    switch (operation) {
      case Allocate step -> allocate(step);
      case Resize step -> resize(step);
      case Free step -> free(step);
      case Misuse step -> misuse(step);
      case Refuse step -> refuse(step);
      case OpenArena step -> openArena(step);
      case AllocateInArena step -> allocateInArena(step);
      case CloseArena step -> closeArena(step.pick());
      case Check _ -> check();
    }
  }

  private void allocate(Allocate step) {
    makeRoom(step.size());
    long size =
        switch (step.how()) {
          case CALLOC -> step.size() / step.alignment() * step.alignment();
          default -> step.size();
        };
    long alignment =
        switch (step.how()) {
          case MALLOC, ZALLOC, CALLOC, REALLOC -> RawAllocator.MIN_ALIGNMENT;
          default -> Math.max(step.alignment(), RawAllocator.MIN_ALIGNMENT);
        };
    long address = call(step.elsewhere(), () -> allocateNow(step, size));
    boolean zeroed =
        switch (step.how()) {
          case ZALLOC, CALLOC, ALIGNED_ZALLOC, ZEROED_SEGMENT -> true;
          default -> false;
        };
    if (zeroed) {
      assertZero(address, size);
    }
    model.addBlock(address, size, raw.usableSize(address), alignment);
  }

  private long allocateNow(Allocate step, long size) {
    return switch (step.how()) {
      case MALLOC -> raw.malloc(size);
      case ZALLOC -> raw.zalloc(size);
      case CALLOC -> raw.calloc(size / step.alignment(), step.alignment());
      case ALIGNED_ALLOC -> raw.alignedAlloc(size, step.alignment());
      case ALIGNED_ZALLOC -> raw.alignedZalloc(size, step.alignment());
      case REALLOC -> raw.realloc(0, size);
      case SEGMENT -> addressOf(allocator.allocate(size, step.alignment()), size);
      case ZEROED_SEGMENT -> addressOf(allocator.allocateZeroed(size, step.alignment()), size);
      case TRIED_SEGMENT ->
          addressOf(
              allocator
                  .tryAllocate(size, step.alignment())
                  .orElseThrow(
                      () -> new NativeMemoryExhaustedError(size, 0, 0, "tryAllocate", null)),
              size);
    };
  }

  private void resize(Resize step) {
    makeRoom(step.size());
    Range block = model.block(step.pick());
    if (block == null) {
      return;
    }
    block.verify();
    long address = call(step.elsewhere(), () -> resizeNow(step, block));
    boolean bySegment = step.how() == Resizing.SEGMENT || step.how() == Resizing.ALIGNED_SEGMENT;
    long held = bySegment ? block.size() : block.usable();
    block.verifyAt(address, Math.min(held, step.size()));
    boolean aligned =
        step.how() == Resizing.ALIGNED_REALLOC || step.how() == Resizing.ALIGNED_SEGMENT;
    long alignment = Math.max(aligned ? step.alignment() : 1, RawAllocator.MIN_ALIGNMENT);
    model.removeBlock(block);
    model.addBlock(address, step.size(), raw.usableSize(address), alignment);
  }

  private long resizeNow(Resize step, Range block) {
    long size = step.size();
    return switch (step.how()) {
      case REALLOC -> raw.realloc(block.address(), size);
      case ALIGNED_REALLOC -> raw.alignedRealloc(block.address(), size, step.alignment());
      case SEGMENT -> addressOf(allocator.reallocate(segmentOf(block), size), size);
      case ALIGNED_SEGMENT ->
          addressOf(allocator.reallocate(segmentOf(block), size, step.alignment()), size);
    };
  }

  private void free(Free step) {
    Range block = model.block(step.pick());
    if (block == null) {
      return;
    }
    block.verify();
    model.removeBlock(block);
    Runnable now =
        () -> {
          block.verify();
          if (step.asSegment()) {
            allocator.free(segmentOf(block));
          } else {
            raw.free(block.address());
          }
        };
    if (step.elsewhere()) {
      elsewhere.execute(now);
    } else {
      now.run();
    }
  }

  private void misuse(Misuse step) {
    Range block = model.block(step.pick());
    switch (step.what()) {
      case FREED -> {
        if (block != null) {
          block.verify();
          model.removeBlock(block);
          wrongCalls.freeTwice(block.address());
        }
      }
      case INSIDE -> {
        if (block != null && block.usable() > 1) {
          wrongCalls.inside(block.address() + 1 + step.offset() % (block.usable() - 1));
          block.verify();
        }
      }
      case FOREIGN -> wrongCalls.foreign(step.offset());
    }
    checkCounters();
  }

  private void refuse(Refuse step) {
    Range block = model.block(step.pick());
    wrongCalls.refused(step.what(), block == null ? 0 : block.address());
    if (block != null) {
      block.verify();
    }
    checkCounters();
  }

  private void openArena(OpenArena step) {
    if (arenas.size() == MOST_ARENAS) {
      closeArena(0);
    }
    Arena arena = step.shared() ? allocator.newSharedArena() : allocator.newConfinedArena();
    arenas.add(new Opened(arena, new ArrayList<>(), new ArrayList<>()));
  }

  private void allocateInArena(AllocateInArena step) {
    if (arenas.isEmpty()) {
      return;
    }
    makeRoom(step.size());
    Opened opened = arenas.get(step.pick() % arenas.size());
    MemorySegment segment = opened.arena().allocate(step.size(), step.alignment());
    long address = addressOf(segment, step.size());
    assertZero(address, step.size());
    opened.segments().add(segment);
    opened.ranges().add(model.addInArena(address, step.size(), step.alignment()));
  }

  private void closeArena(int pick) {
    if (arenas.isEmpty()) {
      return;
    }
    Opened opened = arenas.remove(pick % arenas.size());
    opened.ranges().forEach(model::removeFromArena);
    opened.arena().close();
    if (!opened.segments().isEmpty()) {
      MemorySegment segment = opened.segments().getLast();
      try {
        byte read = segment.get(JAVA_BYTE, 0);
        throw new AssertionError("read " + read + " from a segment of a closed arena");
      } catch (IllegalStateException | IndexOutOfBoundsException expected) {
        // Closed; or without a byte to read.
      }
    }
  }

  /** Frees blocks, and closes arenas, until one more block keeps the limits. */
  private void makeRoom(long size) {
    while (model.live().blocks() > 0
        && (model.live().blocks() >= options.mostBlocks()
            || model.live().bytes() + size > options.mostBytes())) {
      free(new Free((int) (size % Integer.MAX_VALUE), false, false));
    }
    while (!arenas.isEmpty() && model.arenaBytes() + size > options.mostBytes()) {
      closeArena(0);
    }
  }

  /**
   * Compares everything that is live, and the counters if the program is alone, with the model.
   *
   * @throws AssertionError if anything differs
   */
  public void check() {
    model.verifyAll();
    checkCounters();
  }

  private void checkCounters() {
    if (options.alone() && arenas.isEmpty()) {
      LiveCounters found = LiveCounters.of(allocator);
      LiveCounters expected =
          new LiveCounters(
              before.bytes() + model.live().bytes(), before.blocks() + model.live().blocks());
      if (!found.equals(expected)) {
        throw new AssertionError("counters are " + found + ", the model says " + expected);
      }
    }
  }

  /**
   * Closes every arena, frees every block, and compares the counters with those before.
   *
   * @throws AssertionError if anything differs
   */
  public void finish() {
    while (!arenas.isEmpty()) {
      closeArena(0);
    }
    check();
    while (model.live().blocks() > 0) {
      free(new Free(0, false, false));
    }
    checkCounters();
  }

  /**
   * Returns the model.
   *
   * @return what must be live now
   */
  public ShadowModel model() {
    return model;
  }

  private long call(boolean inAnotherThread, LongSupplier work) {
    if (!inAnotherThread) {
      return work.getAsLong();
    }
    long[] result = new long[1];
    elsewhere.execute(() -> result[0] = work.getAsLong());
    return result[0];
  }

  private static MemorySegment segmentOf(Range block) {
    return RawMemory.wrap(block.address(), block.size(), Arena.global());
  }

  private static long addressOf(MemorySegment segment, long size) {
    if (segment.byteSize() != size) {
      throw new AssertionError("a segment of " + segment.byteSize() + " bytes for " + size);
    }
    return segment.address();
  }

  private static void assertZero(long address, long size) {
    long dirty = RawBytes.firstOtherThan(address, size, (byte) 0);
    if (dirty >= 0) {
      throw new AssertionError("byte %d of %d is not zero".formatted(dirty, size));
    }
  }
}
