// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ashlar.alloc.api.ProcessMemory;
import dev.ashlar.alloc.prim.Capabilities;
import dev.ashlar.alloc.prim.Clock;
import dev.ashlar.alloc.prim.Entropy;
import dev.ashlar.alloc.prim.Ranges;
import dev.ashlar.alloc.prim.RawMemory;
import dev.ashlar.alloc.prim.VirtualMemory;
import org.junit.jupiter.api.Test;

/** A binding to an operating system that breaks a promise fails the tests of that promise. */
class BrokenMemoryTest {

  private static void assertCaught(VirtualMemory broken, String... tests) {
    assertThat(ContractRun.failuresOfMemory(broken, tests)).containsExactlyInAnyOrder(tests);
  }

  @Test
  void oneThatForgetsGreatAlignments() {
    assertCaught(
        new ForwardingMemory() {
          @Override
          public long reserve(long bytes, long alignment, Access access) {
            return real.reserve(bytes, osPageBytes(), access);
          }
        },
        "aReservedRangeIsAlignedAsAsked");
  }

  @Test
  void oneThatCommitsByDiscarding() {
    assertCaught(
        new ForwardingMemory() {
          @Override
          public void commit(long address, long bytes) {
            real.commit(address, bytes);
            real.decommit(address, bytes);
          }
        },
        "committedMemoryIsZeroAndKeepsItsContents");
  }

  @Test
  void oneThatDecommitsNothing() {
    assertCaught(
        new ForwardingMemory() {
          @Override
          public void decommit(long address, long bytes) {}
        },
        "decommittedMemoryIsZeroWhenCommittedAgain",
        "residentMemoryFollowsWhatIsTouchedAndDecommitted");
  }

  @Test
  void oneThatDecommitsItsNeighbours() {
    assertCaught(
        new ForwardingMemory() {
          @Override
          public void decommit(long address, long bytes) {
            real.decommit(address, bytes + osPageBytes());
          }
        },
        "decommittedMemoryIsZeroWhenCommittedAgain");
  }

  @Test
  void oneThatProtectsByDiscarding() {
    assertCaught(
        new ForwardingMemory() {
          @Override
          public void protect(long address, long bytes, Access access) {
            real.decommit(address, bytes);
            real.protect(address, bytes, access);
          }
        },
        "protectedMemoryKeepsItsContents");
  }

  @Test
  void oneThatGivesOutOneRangeTwice() {
    assertCaught(
        new ForwardingMemory() {
          private final long range = real.reserve(64L << 20, 1L << 20, Access.NONE);
          private int given;

          @Override
          public long reserve(long bytes, long alignment, Access access) {
            return range + (++given & 31) * (1L << 20);
          }

          @Override
          public void release(long address, long bytes) {}
        },
        "reservedRangesAreDisjoint");
  }

  @Test
  void oneThatReturnsAnAddressForTheImpossible() {
    assertCaught(
        new ForwardingMemory() {
          @Override
          public long reserve(long bytes, long alignment, Access access) {
            return real.reserve(Math.min(bytes, 1L << 20), alignment, access);
          }
        },
        "anImpossibleReservationIsRefused");
  }

  @Test
  void oneWhoseEntropyRepeats() {
    assertCaught(
        new ForwardingMemory() {
          @Override
          public Entropy entropy() {
            return bytes -> {
              for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) i;
              }
            };
          }
        },
        "entropyFillsArraysOfAnyLength");
  }

  @Test
  void oneWhoseEntropyStopsShort() {
    assertCaught(
        new ForwardingMemory() {
          @Override
          public Entropy entropy() {
            return bytes -> {
              byte[] some = new byte[Math.min(bytes.length, 256)];
              real.entropy().fill(some);
              System.arraycopy(some, 0, bytes, 0, some.length);
            };
          }
        },
        "entropyFillsArraysOfAnyLength");
  }

  @Test
  void oneWhoseClockGoesBack() {
    assertCaught(
        new ForwardingMemory() {
          @Override
          public Clock clock() {
            long start = System.nanoTime();
            return () -> start - System.nanoTime();
          }
        },
        "theClockIsMonotonic");
  }

  @Test
  void oneThatDoesNotSeeWhatIsResident() {
    assertCaught(
        new ForwardingMemory() {
          private final ProcessMemory once = real.processMemory();

          @Override
          public ProcessMemory processMemory() {
            return once;
          }
        },
        "residentMemoryFollowsWhatIsTouchedAndDecommitted");
  }

  @Test
  void oneWhoseReadableReservationsKeepTheirContents() {
    assertCaught(
        new ForwardingMemory() {
          @Override
          public void decommit(long address, long bytes) {
            real.protect(address, bytes, Access.READ);
          }
        },
        "aReadableReservationReadsAsZerosWhenItIsDecommitted",
        "rangesOfMixedStatesAreDecommittedAndCommitted");
  }

  @Test
  void oneThatResetsItsNeighbours() {
    assertCaught(
        new ForwardingMemory() {
          @Override
          public void reset(long address, long bytes) {
            real.decommit(address, bytes + osPageBytes());
          }
        },
        "resetMemoryIsUsableWhenItIsCommittedAgain");
  }

  @Test
  void oneThatRemapsByCopying() {
    assertCaught(
        new ForwardingMemory() {
          @Override
          public void remap(long from, long to, long bytes) {
            Ranges.checkDisjoint(from, to, bytes, osPageBytes());
            real.commit(to, bytes);
            RawMemory.copy(from, to, bytes);
          }
        },
        "remappedMemoryHasItsContentsAtItsNewAddress",
        "remappingDoesNotDoubleWhatIsResident");
  }

  @Test
  void oneThatFallsBackWithoutCounting() {
    assertCaught(
        new ForwardingMemory() {
          @Override
          public void commitLarge(long address, long bytes) {
            real.commit(address, bytes);
          }
        },
        "aRangeOfNoWholeLargePageFallsBack");
  }

  @Test
  void oneThatRoundsWhatItIsAskedFor() {
    assertCaught(
        new ForwardingMemory() {
          @Override
          public void commit(long address, long bytes) {
            real.commit(address, (bytes | osPageBytes() - 1) + 1);
          }
        },
        "whatIsNoRangeIsRefused");
  }

  @Test
  void oneThatPopulatesWithSomethingElse() {
    assertCaught(
        new ForwardingMemory() {
          @Override
          public void populate(long address, long bytes) {
            RawMemory.fill(address, bytes, (byte) 1);
          }
        },
        "preferencesKeepTheContents");
  }

  @Test
  void oneThatClaimsTooLittle() {
    assertCaught(
        new ForwardingMemory() {
          @Override
          public Capabilities capabilities() {
            return new Capabilities(false, false, false, false, false, false);
          }
        },
        "whatIsDeniedIsUnsupported");
  }

  @Test
  void oneThatDoesNotCountWhatIsCommitted() {
    assertCaught(
        new ForwardingMemory() {
          private final ProcessMemory once = real.processMemory();

          @Override
          public ProcessMemory processMemory() {
            return once;
          }
        },
        "committedMemoryIsCounted");
  }
}
