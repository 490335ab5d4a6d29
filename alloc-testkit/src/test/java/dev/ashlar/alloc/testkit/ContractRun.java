// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.prim.VirtualMemory;
import java.lang.foreign.Arena;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/** Runs tests of a contract on something that is broken and tells which of them it fails. */
final class ContractRun {

  private ContractRun() {}

  /** Returns which of some tests of the allocator contract an allocator fails. */
  static Set<String> failuresOfAllocator(Supplier<Allocator> open, String... tests) {
    Set<String> failures = new TreeSet<>();
    for (String test : tests) {
      AllocatorContract contract =
          new AllocatorContract() {
            @Override
            protected Allocator newAllocator() {
              return open.get();
            }
          };
      contract.openAllocator();
      boolean passed = passes(contract, test);
      if (!passes(contract, "checkAndCloseAllocator") || !passed) {
        failures.add(test);
      }
    }
    return failures;
  }

  /** Returns which of some tests of the confined arena contract an arena fails. */
  static Set<String> failuresOfConfinedArena(Supplier<Arena> open, String... tests) {
    Set<String> failures = new TreeSet<>();
    for (String test : tests) {
      ConfinedArenaContract contract =
          new ConfinedArenaContract() {
            @Override
            protected Arena newArena() {
              return open.get();
            }
          };
      addFailure(contract, test, failures);
    }
    return failures;
  }

  /** Returns which of some tests of the shared arena contract an arena fails. */
  static Set<String> failuresOfSharedArena(Supplier<Arena> open, String... tests) {
    Set<String> failures = new TreeSet<>();
    for (String test : tests) {
      SharedArenaContract contract =
          new SharedArenaContract() {
            @Override
            protected Arena newArena() {
              return open.get();
            }
          };
      addFailure(contract, test, failures);
    }
    return failures;
  }

  /** Returns which of some tests of the contract of operating systems a binding fails. */
  static Set<String> failuresOfMemory(VirtualMemory binding, String... tests) {
    Set<String> failures = new TreeSet<>();
    for (String test : tests) {
      VirtualMemoryContract contract =
          new VirtualMemoryContract() {
            @Override
            protected VirtualMemory memory() {
              return binding;
            }
          };
      contract.bind();
      if (!passes(contract, test)) {
        failures.add(test);
      }
    }
    return failures;
  }

  private static void addFailure(ArenaContract contract, String test, Set<String> failures) {
    contract.openArena();
    boolean passed = passes(contract, test);
    if (!passes(contract, "closeArena") || !passed) {
      failures.add(test);
    }
  }

  private static boolean passes(Object contract, String name) {
    try {
      Method test = contract.getClass().getMethod(name);
      test.invoke(contract);
      return true;
    } catch (InvocationTargetException failed) {
      return false;
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("the contract has no " + name, e);
    }
  }
}
