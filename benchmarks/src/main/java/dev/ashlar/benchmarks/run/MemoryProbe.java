// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.run;

import dev.ashlar.benchmarks.adapters.Adapters;
import dev.ashlar.benchmarks.adapters.AllocatorAdapter;
import dev.ashlar.benchmarks.blocks.Blocks;
import dev.ashlar.benchmarks.blocks.WorkCount;
import dev.ashlar.benchmarks.blocks.Xorshift;
import dev.ashlar.benchmarks.workloads.Workloads;
import java.util.concurrent.CyclicBarrier;

/**
 * A program that fills memory, frees it, idles and trims, and prints its resident size at each
 * stage, and what it did. A freed block is counted by the size that is written in it.
 */
public final class MemoryProbe {

  static final int LEAST = 16;
  static final int SPAN = 1009;

  private static final int BURST_BLOCKS = 8192;
  private static final long BURST_SIZE = 64 << 10;
  private static final int THREADS = 32;
  private static final int BLOCKS_PER_THREAD = 16_132; // 8 MiB of 520 bytes on average
  private static final int FRAGMENT_BLOCKS = 516_222; // 256 MiB
  private static final long IDLE_MILLIS = 3000;

  private final AllocatorAdapter adapter;
  private final Blocks blocks;
  private final int slots;
  private final long base;
  private final WorkCount work = new WorkCount();

  private MemoryProbe(AllocatorAdapter adapter, int slots) {
    this.adapter = adapter;
    this.slots = slots;
    this.blocks = Blocks.over(adapter, slots);
    blocks.enterThread();
    // Warms the code up, which is memory too.
    for (int i = 0; i < 20_000; i++) {
      blocks.pair(64, i);
    }
    System.gc();
    base = ResidentSize.bytes();
  }

  /**
   * Runs the program.
   *
   * @param args the workload and the allocator
   * @throws Exception if a thread fails
   */
  public static void main(String[] args) throws Exception {
    AllocatorAdapter adapter = Adapters.create(args[1]);
    switch (args[0]) {
      case Workloads.BURST -> new MemoryProbe(adapter, BURST_BLOCKS).burst();
      case Workloads.BURST_THREADS ->
          new MemoryProbe(adapter, THREADS * BLOCKS_PER_THREAD).threads();
      case Workloads.FRAGMENT -> new MemoryProbe(adapter, FRAGMENT_BLOCKS).fragment();
      default -> throw new IllegalArgumentException(args[0]);
    }
    System.exit(0);
  }

  private void burst() throws InterruptedException {
    for (int i = 0; i < slots; i++) {
      put(i, BURST_SIZE, work);
      for (long at = 4096; at < BURST_SIZE; at += 4096) {
        blocks.putByte(i, at, (byte) 1);
      }
    }
    print("peak");
    for (int i = 0; i < slots; i++) {
      free(i, work);
    }
    finish();
  }

  /** The threads stay alive while idle, and are gone before the trim. */
  private void threads() throws Exception {
    CyclicBarrier gate = new CyclicBarrier(THREADS + 1);
    Thread[] team = new Thread[THREADS];
    WorkCount[] counts = new WorkCount[THREADS];
    for (int i = 0; i < THREADS; i++) {
      int number = i;
      WorkCount count = new WorkCount();
      counts[i] = count;
      team[i] = Thread.ofPlatform().start(() -> fillAndFree(number, gate, count));
    }
    gate.await();
    print("peak");
    gate.await();
    gate.await();
    print("free");
    Thread.sleep(IDLE_MILLIS);
    print("idle");
    gate.await();
    for (int i = 0; i < THREADS; i++) {
      team[i].join();
      work.add(counts[i]);
    }
    trim();
  }

  private void fillAndFree(int number, CyclicBarrier gate, WorkCount count) {
    blocks.enterThread();
    int first = number * BLOCKS_PER_THREAD;
    try {
      fill(first, BLOCKS_PER_THREAD, new Xorshift(number), count);
      gate.await(); // all filled
      gate.await(); // measured
      for (int i = 0; i < BLOCKS_PER_THREAD; i++) {
        free(first + i, count);
      }
      gate.await(); // all freed
      gate.await(); // measured
    } catch (Exception e) {
      e.printStackTrace();
      Runtime.getRuntime().halt(1);
    }
    blocks.leaveThread();
  }

  private void fragment() throws InterruptedException {
    fill(0, slots, new Xorshift(0), work);
    print("peak");
    Xorshift random = new Xorshift(1);
    for (int i = 0; i < slots; i++) {
      if (random.next() >>> 61 != 0) {
        free(i, work);
      }
    }
    finish();
  }

  private void fill(int first, int many, Xorshift random, WorkCount count) {
    for (int i = 0; i < many; i++) {
      long size = Xorshift.size(random.next(), LEAST, SPAN);
      put(first + i, size, count);
    }
  }

  private void put(int slot, long size, WorkCount count) {
    blocks.put(slot, size, slot);
    count.allocate(size);
  }

  private void free(int slot, WorkCount count) {
    count.free(blocks.getLong(slot, 0));
    blocks.free(slot);
  }

  private void finish() throws InterruptedException {
    print("free");
    Thread.sleep(IDLE_MILLIS);
    print("idle");
    trim();
  }

  private void trim() {
    if (adapter.trim()) {
      print("trim");
    }
    System.out.println(WorkLine.of(work));
  }

  private void print(String stage) {
    System.gc(); // buffers' objects are not what is measured
    System.out.println("stage " + stage + " " + (ResidentSize.bytes() - base));
  }
}
