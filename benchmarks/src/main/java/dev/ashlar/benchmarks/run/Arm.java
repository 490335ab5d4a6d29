// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.run;

import dev.ashlar.benchmarks.adapters.NativeLibrary;
import dev.ashlar.benchmarks.workloads.Need;
import dev.ashlar.benchmarks.workloads.WorkloadSpec;
import dev.ashlar.benchmarks.workloads.Workloads;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The allocators that are compared, each an arm of the experiment. */
public enum Arm {
  NULL(Family.LOOP, Need.REAL_BLOCKS),
  ASHLAR_RAW(Family.ASHLAR),
  ASHLAR_RAW_AGAIN(Family.ASHLAR),
  ASHLAR_RAW_UNCHECKED(Family.ASHLAR),
  ASHLAR_HEAP(Family.ASHLAR, Need.REMOTE_FREE, Need.VIRTUAL_THREADS, Need.ANY_THREAD),
  ASHLAR_SEGMENT(Family.ASHLAR),
  ASHLAR_ARENA(Family.ASHLAR, Need.REMOTE_FREE, Need.RESIZE),
  ASHLAR_SCOPED(Family.ASHLAR, Need.ANY_ORDER, Need.REMOTE_FREE, Need.ANY_THREAD, Need.RESIZE),
  JDK_CONFINED(Family.JDK, Need.REMOTE_FREE, Need.RESIZE),
  JDK_SHARED(Family.JDK, Need.RESIZE, Need.MANY_BLOCKS),
  NETTY_POOLED(Family.NETTY),
  NETTY_ADAPTIVE(Family.NETTY),
  MALLOC_FFM(Family.FFM),
  MIMALLOC_FFM(Family.FFM),
  JEMALLOC_FFM(Family.FFM),
  LWJGL_RPMALLOC(Family.LWJGL, Need.UNPREPARED_THREADS),
  LWJGL_JEMALLOC(Family.LWJGL),
  ARROW(Family.ARROW, Need.RESIZE),
  NATIVE_GLIBC(Family.C, Need.VIRTUAL_THREADS),
  NATIVE_MIMALLOC(Family.C, Need.VIRTUAL_THREADS),
  NATIVE_JEMALLOC(Family.C, Need.VIRTUAL_THREADS),
  NATIVE_TCMALLOC(Family.C, Need.VIRTUAL_THREADS);

  /** Where an allocator comes from. */
  public enum Family {
    LOOP,
    ASHLAR,
    JDK,
    NETTY,
    FFM,
    LWJGL,
    ARROW,
    C
  }

  private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');
  private final Family family;

  @SuppressWarnings("ImmutableEnumChecker") // nobody changes it
  private final Set<Need> lacks;

  Arm(Family family, Need... lacks) {
    this.family = family;
    this.lacks = EnumSet.noneOf(Need.class);
    this.lacks.addAll(List.of(lacks));
  }

  /** Its name on the command line and in results. */
  public String label() {
    return label;
  }

  public Family family() {
    return family;
  }

  public static Optional<Arm> named(String label) {
    return Arrays.stream(values()).filter(arm -> arm.label.equals(label)).findFirst();
  }

  /** All names, for messages. */
  public static String labels() {
    return Arrays.stream(values()).map(Arm::label).collect(Collectors.joining(", "));
  }

  /** Why a workload cannot run on it, or empty if it can. */
  public Optional<String> whyNot(WorkloadSpec workload) {
    return workload.needs().stream().sorted().filter(lacks::contains).findFirst().map(Need::lack);
  }

  /**
   * How many times shorter than those of the others its long runs are. Closing a shared arena stops
   * every thread of the process for a moment, so that a whole run would take many seconds.
   */
  int shorter() {
    return this == JDK_SHARED ? Workloads.SHORT : 1;
  }

  /** How many operations the time of one run of a timed workload is divided by. */
  long operations(WorkloadSpec workload, int threads) {
    return Workloads.timed(workload.name(), threads, shorter()).operations();
  }

  /** Why it cannot be measured on this machine, and how to get it; empty if it can. */
  public Optional<String> whyAbsent() {
    return switch (this) {
      case MIMALLOC_FFM -> NativeLibrary.MIMALLOC.whyNotLoadable();
      case JEMALLOC_FFM -> NativeLibrary.JEMALLOC.whyNotLoadable();
      case NATIVE_GLIBC -> NativeProgram.whyAbsent();
      case NATIVE_MIMALLOC, NATIVE_JEMALLOC, NATIVE_TCMALLOC ->
          NativeProgram.whyAbsent()
              .or(
                  () ->
                      preloaded()
                          .filter(library -> library.find().isEmpty())
                          .map(NativeLibrary::howToGet));
      case LWJGL_JEMALLOC, LWJGL_RPMALLOC ->
          System.getProperty("os.name").equals("Linux")
              ? Optional.empty()
              : Optional.of("only the Linux natives of LWJGL are on the class path");
      default -> Optional.empty();
    };
  }

  /** The library that is preloaded into the C program. */
  Optional<NativeLibrary> preloaded() {
    return switch (this) {
      case NATIVE_MIMALLOC -> Optional.of(NativeLibrary.MIMALLOC);
      case NATIVE_JEMALLOC -> Optional.of(NativeLibrary.JEMALLOC);
      case NATIVE_TCMALLOC -> Optional.of(NativeLibrary.TCMALLOC);
      default -> Optional.empty();
    };
  }

  /** JVM arguments that let it do its best. Ashlar gets none. */
  public List<String> jvmArguments() {
    return switch (family) {
      case NETTY ->
          List.of(
              "--sun-misc-unsafe-memory-access=allow",
              "--add-opens=java.base/java.nio=ALL-UNNAMED",
              "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
              "-Dio.netty.tryReflectionSetAccessible=true",
              "-Dio.netty.noUnsafe=false",
              "-Dio.netty.leakDetection.level=disabled",
              "-Dio.netty.allocator.useCacheForAllThreads=true",
              "-XX:MaxDirectMemorySize=4g");
      case ARROW ->
          List.of(
              "--sun-misc-unsafe-memory-access=allow",
              "--add-opens=java.base/java.nio=ALL-UNNAMED",
              "-Darrow.enable_unsafe_memory_access=true",
              "-Darrow.enable_null_check_for_get=false");
      case LWJGL ->
          List.of("--sun-misc-unsafe-memory-access=allow", "-Dorg.lwjgl.util.NoChecks=true");
      default -> List.of();
    };
  }
}
