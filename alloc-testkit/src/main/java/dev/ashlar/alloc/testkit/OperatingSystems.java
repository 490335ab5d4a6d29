// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import dev.ashlar.alloc.prim.VirtualMemory;
import dev.ashlar.alloc.prim.VirtualMemoryProvider;
import dev.ashlar.alloc.prim.macos.MacMemory;
import dev.ashlar.alloc.prim.windows.WindowsMemory;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ServiceLoader;

/**
 * The modelled operating systems by name. A process whose tests name one in the system property
 * {@value #PROPERTY} runs on it: this is then the binding that the service loader finds first, for
 * modules whose tests have it in {@code META-INF/services}.
 */
@SuppressWarnings("exports") // alloc-prim is for the modules of the family
public final class OperatingSystems implements VirtualMemoryProvider {

  /** The name of the system property. */
  public static final String PROPERTY = "ashlar.testkit.os";

  /** The system property with the file that Windows's calls are recorded in. */
  private static final String RECORDING = "ashlar.testkit.recording";

  /** How much a strict operating system gives: enough for the tests, far from what is reserved. */
  private static final long STRICT_BYTES = 12L << 30;

  /** The greatest reservation in a small address space. */
  private static final long SMALL_BYTES = 1L << 30;

  private static volatile MemoryModel running;

  /** Made by the service loader. */
  public OperatingSystems() {}

  @Override
  public boolean fitsThisMachine() {
    return System.getProperty(PROPERTY) != null;
  }

  @Override
  public VirtualMemory open() {
    VirtualMemory real = real();
    String name = System.getProperty(PROPERTY);
    return switch (name) {
      case "windows" -> windows(new WindowsModel(real, true));
      case "windows-7" -> windows(new WindowsModel(real, false));
      case "darwin" -> {
        DarwinModel model = new DarwinModel(real);
        running = model;
        yield new MacMemory(model);
      }
      case "pages-4k" -> tracked(new PageSizeModel(real, 4_096));
      case "pages-16k" -> tracked(new PageSizeModel(real, 16_384));
      case "pages-64k" -> tracked(new PageSizeModel(real, 65_536));
      case "strict" -> tracked(new StrictCommitModel(real, STRICT_BYTES, false));
      case "small" -> {
        FaultyMemory small = new FaultyMemory(real);
        small.refuseReservationsAbove(SMALL_BYTES);
        yield small;
      }
      default -> throw new IllegalArgumentException(PROPERTY + "=" + name + ": no such model");
    };
  }

  private static VirtualMemory windows(WindowsModel model) {
    running = model;
    String recording = System.getProperty(RECORDING);
    if (recording == null) {
      return new WindowsMemory(model);
    }
    try {
      PrintWriter out = new PrintWriter(Files.newBufferedWriter(Path.of(recording)));
      return new WindowsMemory(new RecordedWindowsCalls(model, out));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static TrackedMemory tracked(TrackedMemory model) {
    running = model;
    return model;
  }

  /** Finds the binding that would be used without this one. */
  private static VirtualMemory real() {
    for (VirtualMemoryProvider provider : ServiceLoader.load(VirtualMemoryProvider.class)) {
      if (!(provider instanceof OperatingSystems) && provider.fitsThisMachine()) {
        return provider.open();
      }
    }
    throw new UnsupportedOperationException("no binding to model on");
  }

  /**
   * Checks that memory may be touched, if the process runs on a model that knows.
   *
   * @param address the beginning of the range
   * @param bytes its size in bytes
   * @throws AssertionError if it may not
   */
  static void requireUsable(long address, long bytes) {
    MemoryModel model = running;
    if (model != null) {
      model.requireUsable(address, bytes);
    }
  }
}
