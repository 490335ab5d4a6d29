// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import dev.ashlar.alloc.testkit.Operation.Allocate;
import dev.ashlar.alloc.testkit.Operation.AllocateInArena;
import dev.ashlar.alloc.testkit.Operation.Allocation;
import dev.ashlar.alloc.testkit.Operation.Check;
import dev.ashlar.alloc.testkit.Operation.CloseArena;
import dev.ashlar.alloc.testkit.Operation.Free;
import dev.ashlar.alloc.testkit.Operation.Misuse;
import dev.ashlar.alloc.testkit.Operation.OpenArena;
import dev.ashlar.alloc.testkit.Operation.Refusal;
import dev.ashlar.alloc.testkit.Operation.Refuse;
import dev.ashlar.alloc.testkit.Operation.Resize;
import dev.ashlar.alloc.testkit.Operation.Resizing;
import dev.ashlar.alloc.testkit.Operation.Wrong;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;
import net.jqwik.api.Tuple.Tuple2;

/** Programs as jqwik draws them: a failing one is cut down to the steps that it takes to fail. */
public final class ProgramArbitraries {

  private ProgramArbitraries() {}

  /**
   * Draws programs.
   *
   * @param mostOperations how many steps a program has at most
   * @param options what a program may hold
   * @return programs
   */
  public static Arbitrary<OperationProgram> programs(int mostOperations, ProgramOptions options) {
    return operations(options).list().ofMaxSize(mostOperations).map(OperationProgram::new);
  }

  private static Arbitrary<Operation> operations(ProgramOptions options) {
    Arbitrary<Long> sizes = sizes(options.mostSize());
    Arbitrary<Integer> picks = Arbitraries.integers().between(0, 1_000);
    Arbitrary<Boolean> rarely = Arbitraries.frequency(Tuple.of(19, false), Tuple.of(1, true));
    List<Tuple2<Integer, Arbitrary<Operation>>> kinds = new ArrayList<>();
    kinds.add(
        kind(
            40,
            Combinators.combine(Arbitraries.of(Allocation.class), sizes, alignments(), rarely)
                .as(Allocate::new)));
    kinds.add(
        kind(
            15,
            Combinators.combine(Arbitraries.of(Resizing.class), picks, sizes, alignments(), rarely)
                .as(Resize::new)));
    kinds.add(
        kind(25, Combinators.combine(picks, Arbitraries.of(true, false), rarely).as(Free::new)));
    if (options.detectsMisuse()) {
      Arbitrary<Long> offsets = Arbitraries.longs().greaterOrEqual(0);
      kinds.add(
          kind(
              5, Combinators.combine(Arbitraries.of(Wrong.class), picks, offsets).as(Misuse::new)));
    }
    kinds.add(kind(3, Combinators.combine(Arbitraries.of(Refusal.class), picks).as(Refuse::new)));
    kinds.add(kind(2, Arbitraries.of(true, false).map(OpenArena::new)));
    kinds.add(kind(8, Combinators.combine(picks, sizes, alignments()).as(AllocateInArena::new)));
    kinds.add(kind(1, picks.map(CloseArena::new)));
    kinds.add(kind(1, Arbitraries.just(new Check())));
    return Arbitraries.frequencyOf(kinds);
  }

  private static Tuple2<Integer, Arbitrary<Operation>> kind(
      int weight, Arbitrary<? extends Operation> operations) {
    return Tuple.of(weight, operations.map(operation -> operation));
  }

  private static Arbitrary<Long> sizes(long most) {
    return Arbitraries.frequencyOf(
        Tuple.of(70, Arbitraries.longs().between(0, Math.min(most, 2_048))),
        Tuple.of(22, Arbitraries.longs().between(0, Math.min(most, 70_000))),
        Tuple.of(7, Arbitraries.longs().between(0, Math.min(most, 2L << 20))),
        Tuple.of(1, Arbitraries.longs().between(0, most)));
  }

  private static Arbitrary<Long> alignments() {
    return Arbitraries.frequencyOf(
        Tuple.of(9, Arbitraries.integers().between(0, 7).map(bit -> 1L << bit)),
        Tuple.of(1, Arbitraries.integers().between(8, 21).map(bit -> 1L << bit)));
  }
}
