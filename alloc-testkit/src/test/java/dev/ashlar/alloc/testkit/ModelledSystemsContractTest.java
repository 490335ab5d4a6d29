// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import dev.ashlar.alloc.prim.VirtualMemory;
import dev.ashlar.alloc.prim.macos.MacMemory;
import dev.ashlar.alloc.prim.windows.WindowsMemory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestInstance;

/** The bindings of other operating systems keep the contract, on models of these systems. */
class ModelledSystemsContractTest {

  /** The binding of Windows, on a system that can align reservations. */
  @Nested
  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  class OnWindows extends VirtualMemoryContract {

    private final WindowsModel model = new WindowsModel(VirtualMemory.system(), true);
    private final VirtualMemory binding = new WindowsMemory(model);

    @Override
    protected VirtualMemory memory() {
      return binding;
    }

    @AfterAll
    void close() {
      model.close();
    }
  }

  /** The binding of Windows, on a system that cannot align and where others take addresses. */
  @Nested
  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  class OnAnOlderWindows extends VirtualMemoryContract {

    private final WindowsModel model = new WindowsModel(VirtualMemory.system(), false);
    private final VirtualMemory binding = new WindowsMemory(model);

    @Override
    protected VirtualMemory memory() {
      return binding;
    }

    @AfterAll
    void close() {
      model.close();
    }
  }

  /** The binding of Windows, on a system with large pages. */
  @Nested
  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  class OnWindowsWithLargePages extends VirtualMemoryContract {

    private final WindowsModel model = new WindowsModel(VirtualMemory.system(), true);
    private final VirtualMemory binding = new WindowsMemory(model);

    @Override
    protected VirtualMemory memory() {
      model.provideLargePages(64L << 20);
      return binding;
    }

    @AfterAll
    void close() {
      model.close();
    }
  }

  /** The binding of macOS. */
  @Nested
  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  class OnDarwin extends VirtualMemoryContract {

    private final DarwinModel model = new DarwinModel(VirtualMemory.system());
    private final VirtualMemory binding = new MacMemory(model);

    @Override
    protected VirtualMemory memory() {
      return binding;
    }

    @AfterAll
    void close() {
      model.close();
    }
  }

  /** A system with greater pages. */
  @Nested
  class WithPagesOf16KiB extends VirtualMemoryContract {

    @Override
    protected VirtualMemory memory() {
      return new PageSizeModel(VirtualMemory.system(), 16_384);
    }
  }

  /** A system with still greater pages. */
  @Nested
  class WithPagesOf64KiB extends VirtualMemoryContract {

    @Override
    protected VirtualMemory memory() {
      return new PageSizeModel(VirtualMemory.system(), 65_536);
    }
  }

  /** A system that counts what is committed. */
  @Nested
  class WithStrictCommit extends VirtualMemoryContract {

    @Override
    protected VirtualMemory memory() {
      return new StrictCommitModel(VirtualMemory.system(), 1L << 30, false);
    }
  }
}
