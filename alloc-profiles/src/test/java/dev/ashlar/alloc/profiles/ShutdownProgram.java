// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.profiles;

import dev.ashlar.alloc.api.RawAllocator;
import dev.ashlar.alloc.testkit.RawBytes;
import java.lang.ref.Cleaner;
import java.util.concurrent.CountDownLatch;

/**
 * Exits while daemon threads allocate and free without end, a shutdown hook does too, and a cleaner
 * has freed a block. Anything that throws ends the process with another status than 0.
 */
final class ShutdownProgram {

  private static final int FAILED = 3;

  private ShutdownProgram() {}

  public static void main(String[] args) throws InterruptedException {
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, e) -> {
          e.printStackTrace();
          Runtime.getRuntime().halt(FAILED);
        });
    RawAllocator raw = Ashlar.shared().raw();
    freeInACleaner(raw);
    CountDownLatch looping = new CountDownLatch(4);
    for (int i = 0; i < 4; i++) {
      Thread.ofPlatform().daemon().start(() -> loop(raw, looping));
    }
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  for (int i = 0; i < 1_000; i++) {
                    long block = raw.malloc(1024);
                    RawBytes.fill(block, 1024, (byte) i);
                    raw.free(block);
                  }
                  System.out.println("the hook freed");
                }));
    looping.await();
    System.exit(0);
  }

  private static void freeInACleaner(RawAllocator raw) throws InterruptedException {
    CountDownLatch freed = new CountDownLatch(1);
    long block = raw.malloc(1024);
    Cleaner.create()
        .register(
            new Object(),
            () -> {
              raw.free(block);
              System.out.println("the cleaner freed");
              freed.countDown();
            });
    System.gc();
    freed.await();
  }

  private static void loop(RawAllocator raw, CountDownLatch looping) {
    long[] blocks = new long[100];
    for (int i = 0; ; i++) {
      int k = i % blocks.length;
      raw.free(blocks[k]);
      blocks[k] = raw.malloc(16 + i % 5_000);
      RawBytes.putLong(blocks[k], i);
      if (i == 10_000) {
        looping.countDown();
      }
    }
  }
}
