// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.stress;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.api.AllocatorStats;
import dev.ashlar.alloc.profiles.Diagnostics;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * A stress run: opens an allocator, lets the crew work on it, and checks what must hold at the end.
 *
 * <p>When the workers are done, the allocator must have exactly the blocks live that they hold, no
 * two of which overlap, and agree with itself. Then everything is freed, after which nothing is
 * live and the allocator still agrees with itself; and once it is closed, the process has about as
 * much memory as before.
 */
public final class StressRun {

  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  /** How many operations each worker does before memory is read for the first time. */
  private static final long WARM_UP = 20_000;

  private final StressSettings settings;
  private final Supplier<Allocator> opener;
  private final Consumer<Allocator> walk;
  private final LongSupplier residence;
  private final Consumer<StressProgress> progress;

  /**
   * Makes a run.
   *
   * @param settings what it is to do
   * @param progress is told about each second
   */
  public StressRun(StressSettings settings, Consumer<StressProgress> progress) {
    this(
        settings,
        settings.profile()::open,
        Diagnostics::check,
        ProcessResidence::ofThisProcess,
        progress);
  }

  /**
   * Makes a run on any allocator.
   *
   * @param settings what it is to do
   * @param opener opens an allocator
   * @param walk throws an {@link AssertionError} if an allocator does not agree with itself
   * @param residence reads how much memory the process has, in bytes
   * @param progress is told about each second
   */
  public StressRun(
      StressSettings settings,
      Supplier<Allocator> opener,
      Consumer<Allocator> walk,
      LongSupplier residence,
      Consumer<StressProgress> progress) {
    this.settings = settings;
    this.opener = opener;
    this.walk = walk;
    this.residence = residence;
    this.progress = progress;
  }

  /**
   * Does the run.
   *
   * @return what it did
   * @throws StressFault if anything is not as it must be
   * @throws InterruptedException if the calling thread is interrupted
   */
  public StressReport run() throws InterruptedException {
    warmUp();
    ProcessResidence before = new ProcessResidence(residence);
    StressReport report = runOnce(settings, progress);
    return new StressReport(
        report.nanoseconds(),
        report.operations(),
        report.remoteFrees(),
        report.threads(),
        report.blocks(),
        report.atEnd(),
        report.afterwards(),
        before.requireNear());
  }

  /**
   * Lets the JVM load and compile most of what it will, so that its own memory hardly grows later.
   */
  private void warmUp() throws InterruptedException {
    long operations =
        settings.operations() > 0 ? Math.min(settings.operations(), WARM_UP) : WARM_UP;
    StressSettings shorter =
        new StressSettings(
            0,
            operations,
            settings.threads(),
            settings.virtual(),
            settings.killThreads(),
            settings.profile(),
            settings.seed());
    runOnce(shorter, second -> {});
  }

  private StressReport runOnce(StressSettings what, Consumer<StressProgress> telling)
      throws InterruptedException {
    try (Allocator allocator = opener.get()) {
      StressCrew crew = new StressCrew(what, allocator);
      long begin = System.nanoTime();
      crew.start();
      waitFor(crew, what, begin, allocator, telling);
      long nanoseconds = System.nanoTime() - begin;
      crew.requireNoFault();
      AllocatorStats atEnd = allocator.stats();
      List<StressBlock> blocks = crew.takeAllBlocks();
      requireExactly(allocator, blocks, atEnd);
      walk(allocator, "with the blocks of all workers");
      freeAll(allocator, what, blocks);
      AllocatorStats afterwards = allocator.stats();
      if (afterwards.liveBlocks() != 0 || afterwards.liveBytes() != 0) {
        throw new StressFault("everything is freed, and the allocator says " + afterwards);
      }
      walk(allocator, "after everything was freed");
      return new StressReport(
          nanoseconds,
          crew.operations(),
          crew.remoteFrees(),
          crew.threads(),
          blocks.size(),
          atEnd,
          afterwards,
          0);
    }
  }

  private static void waitFor(
      StressCrew crew,
      StressSettings what,
      long begin,
      Allocator allocator,
      Consumer<StressProgress> telling)
      throws InterruptedException {
    int second = 0;
    while (!crew.await(begin + (second + 1) * SECOND - System.nanoTime())) {
      second++;
      telling.accept(new StressProgress(second, crew.operations(), allocator.stats()));
      if (what.operations() == 0 && second >= what.seconds()) {
        crew.stop();
        crew.await();
        return;
      }
    }
  }

  private static void requireExactly(
      Allocator allocator, List<StressBlock> blocks, AllocatorStats stats) {
    blocks.sort(Comparator.comparingLong(StressBlock::address));
    long bytes = 0;
    StressBlock before = null;
    long end = 0;
    for (StressBlock block : blocks) {
      BlockCanary.check(block);
      if (before != null && block.address() < end) {
        throw new StressFault(before + " overlaps " + block);
      }
      long usable = allocator.raw().usableSize(block.address());
      bytes += usable;
      end = block.address() + usable;
      before = block;
    }
    if (stats.liveBlocks() != blocks.size() || stats.liveBytes() != bytes) {
      throw new StressFault(
          "the workers hold "
              + blocks.size()
              + " blocks of "
              + bytes
              + " bytes, and the allocator says "
              + stats);
    }
  }

  private static void freeAll(Allocator allocator, StressSettings what, List<StressBlock> blocks) {
    CheckedBlocks freeing = new CheckedBlocks(allocator, what.threads());
    StepRandom random = new StepRandom(what.seed(), what.threads());
    for (StressBlock block : blocks) {
      freeing.free(block, random);
    }
  }

  private void walk(Allocator allocator, String when) {
    try {
      walk.accept(allocator);
    } catch (AssertionError e) {
      throw new StressFault(
          "the allocator does not agree with itself " + when + ": " + e.getMessage(), e);
    }
  }
}
