// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.segment;

import dev.ashlar.alloc.api.ProcessMemory;
import dev.ashlar.alloc.prim.Capabilities;
import dev.ashlar.alloc.prim.Clock;
import dev.ashlar.alloc.prim.Entropy;
import dev.ashlar.alloc.prim.RawMemory;
import dev.ashlar.alloc.prim.VirtualMemory;
import java.util.HashMap;
import java.util.Map;

/**
 * This system's memory, with a record of what was done last to each slice. It does its worst with
 * what is reset: half of it is overwritten.
 */
class StateMemory implements VirtualMemory {

  /** What was done last. */
  enum Last {
    NOTHING,
    COMMIT,
    RESET,
    DECOMMIT
  }

  private final VirtualMemory real = VirtualMemory.system();
  private final Map<Long, Last> slices = new HashMap<>();

  /** Returns what was done last to the slice at an address. */
  Last last(long slice) {
    return slices.getOrDefault(slice, Last.NOTHING);
  }

  private void note(long address, long bytes, Last last) {
    for (long slice = address & -Segment.SLICE_BYTES;
        slice < address + bytes;
        slice += Segment.SLICE_BYTES) {
      slices.put(slice, last);
    }
  }

  @Override
  public void commit(long address, long bytes) {
    real.commit(address, bytes);
    note(address, bytes, Last.COMMIT);
  }

  @Override
  public void decommit(long address, long bytes) {
    real.decommit(address, bytes);
    note(address, bytes, Last.DECOMMIT);
  }

  @Override
  public void reset(long address, long bytes) {
    for (long slice = address; slice < address + bytes; slice += 2 * Segment.SLICE_BYTES) {
      RawMemory.fill(slice, osPageBytes(), (byte) 0x5a);
    }
    note(address, bytes, Last.RESET);
  }

  @Override
  public long reserve(long bytes, long alignment, Access access) {
    return real.reserve(bytes, alignment, access);
  }

  @Override
  public void release(long address, long bytes) {
    real.release(address, bytes);
  }

  @Override
  public void protect(long address, long bytes, Access access) {
    real.protect(address, bytes, access);
  }

  @Override
  public long osPageBytes() {
    return real.osPageBytes();
  }

  @Override
  public long physicalMemoryBytes() {
    return real.physicalMemoryBytes();
  }

  @Override
  public Capabilities capabilities() {
    return real.capabilities();
  }

  @Override
  public Entropy entropy() {
    return real.entropy();
  }

  @Override
  public Clock clock() {
    return real.clock();
  }

  @Override
  public ProcessMemory processMemory() {
    return real.processMemory();
  }
}
