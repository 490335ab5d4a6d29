// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ashlar.samples.wasm.Guest;
import dev.ashlar.samples.wasm.GuestAllocation;
import dev.ashlar.samples.wasm.GuestRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Guests in WebAssembly on each kind of allocator. */
class WasmCommandTest {

  @ParameterizedTest
  @EnumSource
  void everyGuestAnswersAsTheMachinesProgramDoes(GuestAllocation allocation) {
    ToolRun run = ToolRun.of("wasm", "--allocator", allocation.toString());

    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.out().lines().skip(1))
        .hasSameSizeAs(Guest.all())
        .allMatch(line -> line.contains(" " + allocation + " ") && line.contains(" right "));
  }

  @Test
  void exhaustionIsToldAndHasAnExitCodeOfItsOwn() {
    ToolRun run = ToolRun.of("wasm", "--max-pages", "4");

    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(run.out()).contains("no memory").doesNotContain("WRONG");
    assertThat(run.errLines())
        .isNotEmpty()
        .allMatch(
            line ->
                line.startsWith("ashlar wasm: ")
                    && line.contains(": no memory for a request of ")
                    && line.contains("given out in all "));
  }

  @Test
  void whatIsReusedNeedsLessMemory() {
    for (Guest guest : Guest.all()) {
      int bump = GuestRun.of(guest, GuestAllocation.BUMP, 2_000).stats().touchedPages();
      int scoped = GuestRun.of(guest, GuestAllocation.SCOPED, 2_000).stats().touchedPages();
      int reclaiming = GuestRun.of(guest, GuestAllocation.RECLAIMING, 2_000).stats().touchedPages();

      assertThat(2 * scoped).as("pages of %s with scopes", guest.name()).isLessThanOrEqualTo(bump);
      assertThat(2 * reclaiming).as("pages of %s reused", guest.name()).isLessThanOrEqualTo(bump);
    }
  }

  @Test
  void refusesWhatIsNoSizeOrAllocator() {
    assertThat(ToolRun.of("wasm", "--max-pages", "0").exitCode()).isEqualTo(2);
    assertThat(ToolRun.of("wasm", "--max-pages", "65537").errLines().getFirst())
        .isEqualTo(
            "ashlar wasm: Invalid value for option '--max-pages': 65537 is not in 1 to 32767");
    assertThat(ToolRun.of("wasm", "--allocator", "none").exitCode()).isEqualTo(2);
  }
}
