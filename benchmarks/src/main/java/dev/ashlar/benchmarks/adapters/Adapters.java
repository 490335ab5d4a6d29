// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.benchmarks.adapters;

/** Makes adapters by name, without touching the classes of the others. */
public final class Adapters {

  private Adapters() {}

  /** Makes the adapter of an allocator that runs in this process. */
  public static AllocatorAdapter create(String name) {
    return switch (name) {
      case "null" -> new NullAdapter();
      case "ashlar-raw", "ashlar-raw-again" -> AshlarRawAdapter.checked();
      case "ashlar-raw-unchecked" -> AshlarRawAdapter.unchecked();
      case "ashlar-heap" -> AshlarRawAdapter.heap();
      case "ashlar-segment" -> AshlarSegmentAdapter.create();
      case "ashlar-arena" -> AshlarArenaAdapter.create();
      case "ashlar-scoped" -> AshlarScopedAdapter.create();
      case "jdk-confined" -> new JdkArenaAdapter(false);
      case "jdk-shared" -> new JdkArenaAdapter(true);
      case "netty-pooled" -> NettyAdapter.pooled();
      case "netty-adaptive" -> NettyAdapter.adaptive();
      case "malloc-ffm" -> ForeignAdapter.glibc();
      case "mimalloc-ffm" -> ForeignAdapter.mimalloc();
      case "jemalloc-ffm" -> ForeignAdapter.jemalloc();
      case "lwjgl-rpmalloc" -> RpmallocAdapter.create();
      case "lwjgl-jemalloc" -> new LwjglJemallocAdapter();
      case "arrow" -> ArrowAdapter.create();
      default -> throw new IllegalArgumentException("no allocator is called " + name);
    };
  }
}
