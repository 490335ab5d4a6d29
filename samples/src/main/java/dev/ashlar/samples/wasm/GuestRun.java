// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.wasm;

import com.dylibso.chicory.runtime.ImportValues;
import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.wasm.WasmModule;
import com.dylibso.chicory.wasm.types.MemoryLimits;
import dev.ashlar.alloc.api.NativeMemoryExhaustedError;
import dev.ashlar.alloc.wasm.GuestStats;
import dev.ashlar.integrations.chicory.GuestMalloc;
import java.util.Optional;

/**
 * One run of a guest.
 *
 * @param guest the guest
 * @param allocation how its memory was allocated
 * @param answer what it answered
 * @param calls how often it called the allocator
 * @param stats the allocator's figures at the end
 * @param refusal why the run ended early, if it did
 */
public record GuestRun(
    Guest guest,
    GuestAllocation allocation,
    long answer,
    long calls,
    GuestStats stats,
    Optional<NativeMemoryExhaustedError> refusal) {

  /**
   * Runs a guest in a memory of its own.
   *
   * @param guest the guest
   * @param allocation how to allocate its memory
   * @param maximumPages how large the memory may become in linear pages; at least what the guest
   *     begins with
   * @return what came of it
   */
  public static GuestRun of(Guest guest, GuestAllocation allocation, int maximumPages) {
    GuestMalloc malloc = allocation.malloc();
    WasmModule module = guest.module();
    int initial = module.memorySection().orElseThrow().getMemory(0).limits().initialPages();
    Instance instance =
        Instance.builder(module)
            .withMemoryLimits(new MemoryLimits(initial, Math.max(initial, maximumPages)))
            .withImportValues(ImportValues.builder().addFunction(malloc.functions()).build())
            .build();
    malloc.attach(instance);
    long answer = instance.export("run").apply(guest.phases(), guest.size())[0];
    return new GuestRun(
        guest,
        allocation,
        answer,
        malloc.calls(),
        malloc.allocator().stats(),
        answer == Guest.NO_MEMORY ? malloc.refusal() : Optional.empty());
  }

  /**
   * Tells whether the answer is that of the program compiled for the machine.
   *
   * @return true if it is
   */
  public boolean right() {
    return answer == guest.answer();
  }
}
