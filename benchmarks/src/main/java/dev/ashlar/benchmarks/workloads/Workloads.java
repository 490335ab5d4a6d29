// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.workloads;

import dev.ashlar.benchmarks.workloads.WorkloadSpec.Kind;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** All workloads. */
public final class Workloads {

  public static final String COLD_START_FIRST = "cold-start-first";
  public static final String COLD_START_100K = "cold-start-100k";
  public static final String BURST = "burst-64k";
  public static final String BURST_THREADS = "burst-threads";
  public static final String FRAGMENT = "fragment";

  /** How many times shorter a run is that is watched, or that a slow allocator does. */
  public static final int SHORT = 100;

  private static final int VIRTUAL_THREADS = 100_000;
  private static final int LARGE_PAIRS = 16;
  private static final String PAIR = "pair";

  private static final List<WorkloadSpec> ALL = specs();

  private Workloads() {}

  public static List<WorkloadSpec> all() {
    return ALL;
  }

  public static Optional<WorkloadSpec> named(String name) {
    return ALL.stream().filter(spec -> spec.name().equals(name)).findFirst();
  }

  /**
   * Makes a timed workload, in its first state.
   *
   * @param name its name
   * @param threads how many threads it uses, if it leaves a choice
   * @param shorter how many times fewer operations a run has, if a run is long: 1 for the whole
   *     run, or {@link #SHORT}
   */
  public static Workload timed(String name, int threads, int shorter) {
    return switch (name) {
      case "pingpong" -> new PingPong(48, 1024, false);
      case "batch-lifo" -> new Batch(48, true);
      case "batch-fifo" -> new Batch(48, false);
      case "large-1m" -> new PingPong(1 << 20, LARGE_PAIRS, false);
      case "large-4m" -> new PingPong(4 << 20, LARGE_PAIRS, false);
      case "zeroed-1k" -> new PingPong(1 << 10, 256, true);
      case "zeroed-1m" -> new PingPong(1 << 20, LARGE_PAIRS, true);
      case "realloc-double" -> new ReallocDouble();
      case "realloc-append" -> new ReallocAppend();
      case "larson" -> new Larson(threads, shorter);
      case "producer-consumer" -> new ProducerConsumer(64, shorter);
      case "mstress" -> new MStress(threads, shorter);
      case "thread-churn" -> new ThreadChurn(threads, shorter);
      case "virtual-threads" -> new VirtualThreads(VIRTUAL_THREADS / shorter);
      case "request" -> new Request();
      default -> churn(name);
    };
  }

  private static Workload churn(String name) {
    String[] words = name.split("-", -1); // churn-SLOTS-SIZE
    if (words.length != 3 || !words[0].equals("churn")) {
      throw new IllegalArgumentException("no timed workload is called " + name);
    }
    int slots = Integer.parseInt(words[1]);
    boolean mixed = words[2].equals("mixed");
    return new Churn(
        slots, mixed ? 16 : Integer.parseInt(words[2]), mixed ? 1024 : Integer.parseInt(words[2]));
  }

  private static List<WorkloadSpec> specs() {
    List<WorkloadSpec> all = new ArrayList<>();
    all.add(core("pingpong", "allocates 48 bytes, writes 16 of them, frees"));
    for (String slots : List.of("1024", "65536")) {
      for (String size : List.of("16", "64", "256", "1024", "mixed")) {
        all.add(
            core(
                "churn-" + slots + "-" + size,
                "replaces a random one of "
                    + slots
                    + " live blocks of "
                    + (size.equals("mixed") ? "16 to 1024" : size)
                    + " bytes",
                Need.ANY_ORDER));
      }
    }
    all.add(core("batch-lifo", "allocates 1024 blocks of 48 bytes, frees them newest first"));
    all.add(
        core(
            "batch-fifo",
            "allocates 1024 blocks of 48 bytes, frees them oldest first",
            Need.ANY_ORDER));
    all.add(timed("large-1m", PAIR, "allocates 1 MiB, writes 16 bytes, frees"));
    all.add(timed("large-4m", PAIR, "allocates 4 MiB, writes 16 bytes, frees"));
    all.add(timed("zeroed-1k", PAIR, "allocates 1 KiB of zeros, writes 16 bytes, frees"));
    all.add(timed("zeroed-1m", PAIR, "allocates 1 MiB of zeros, writes 16 bytes, frees"));
    all.add(
        timed(
            "realloc-double",
            "chain",
            "doubles a block from 64 bytes to 64 MiB, writing its last byte each time",
            Need.REAL_BLOCKS,
            Need.RESIZE));
    all.add(
        timed(
            "realloc-append",
            "realloc",
            "grows a block to 2.4 MB by 8 bytes at a time, writing them",
            Need.REAL_BLOCKS,
            Need.RESIZE));
    all.add(
        timed(
            "larson",
            "pair of one thread",
            "threads replace random blocks of 16 to 1024 bytes among their own and a neighbour's",
            Need.REMOTE_FREE));
    all.add(
        timed(
            "producer-consumer",
            PAIR,
            "one thread allocates 64 bytes, another frees them",
            Need.REMOTE_FREE));
    all.add(
        timed(
            "mstress",
            "pair of one thread",
            "threads free half of their blocks, refill, and exchange some with each other",
            Need.REMOTE_FREE));
    all.add(
        timed(
            "thread-churn",
            PAIR,
            "short-lived platform threads allocate 256 blocks of 16 to 1024 bytes and free them",
            Need.ANY_THREAD));
    all.add(
        timed(
            "virtual-threads",
            PAIR,
            "100,000 virtual threads, 1,000 alive, allocate 8 blocks, yield and free them",
            Need.ANY_THREAD,
            Need.VIRTUAL_THREADS,
            Need.UNPREPARED_THREADS));
    all.add(
        timed(
            "request",
            "request",
            "allocates 200 blocks of 16 to 1024 bytes that die together, in an arena if there is one"));
    all.add(cold(COLD_START_FIRST, "from the start of the process to the first block of 48 bytes"));
    all.add(cold(COLD_START_100K, "from the start of the process to 100,000 blocks of 48 bytes"));
    all.add(memory(BURST, "allocates and frees 512 MiB in blocks of 64 KiB"));
    all.add(
        memory(
            BURST_THREADS,
            "32 threads allocate and free 8 MiB each in blocks of 16 to 1024 bytes",
            Need.MANY_BLOCKS,
            Need.ANY_THREAD));
    all.add(
        memory(
            FRAGMENT,
            "allocates 256 MiB in blocks of 16 to 1024 bytes, frees 7 of 8 at random",
            Need.MANY_BLOCKS));
    return List.copyOf(all);
  }

  private static WorkloadSpec core(String name, String about, Need... needs) {
    return new WorkloadSpec(name, Kind.TIMED, true, PAIR, about, Set.of(needs));
  }

  private static WorkloadSpec timed(String name, String operation, String about, Need... needs) {
    return new WorkloadSpec(name, Kind.TIMED, false, operation, about, Set.of(needs));
  }

  private static WorkloadSpec cold(String name, String about) {
    return new WorkloadSpec(name, Kind.COLD_START, false, "start", about, Set.of());
  }

  private static WorkloadSpec memory(String name, String about, Need... more) {
    Set<Need> needs = EnumSet.of(Need.REAL_BLOCKS, Need.ANY_ORDER);
    needs.addAll(List.of(more));
    return new WorkloadSpec(name, Kind.MEMORY, false, "block", about, Set.copyOf(needs));
  }
}
