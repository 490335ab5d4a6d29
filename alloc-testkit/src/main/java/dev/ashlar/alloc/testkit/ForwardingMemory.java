// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import dev.ashlar.alloc.api.ProcessMemory;
import dev.ashlar.alloc.prim.Capabilities;
import dev.ashlar.alloc.prim.Clock;
import dev.ashlar.alloc.prim.Entropy;
import dev.ashlar.alloc.prim.Fallbacks;
import dev.ashlar.alloc.prim.VirtualMemory;

/** An operating system that is another one, except for the methods that a subclass overrides. */
class ForwardingMemory implements VirtualMemory {

  /** What carries out the calls. */
  final VirtualMemory real;

  ForwardingMemory() {
    this(VirtualMemory.system());
  }

  ForwardingMemory(VirtualMemory real) {
    this.real = real;
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
  public void commit(long address, long bytes) {
    real.commit(address, bytes);
  }

  @Override
  public void decommit(long address, long bytes) {
    real.decommit(address, bytes);
  }

  @Override
  public void protect(long address, long bytes, Access access) {
    real.protect(address, bytes, access);
  }

  @Override
  public void reset(long address, long bytes) {
    real.reset(address, bytes);
  }

  @Override
  public void remap(long from, long to, long bytes) {
    real.remap(from, to, bytes);
  }

  @Override
  public long reserveLarge(long bytes, long alignment) {
    return real.reserveLarge(bytes, alignment);
  }

  @Override
  public void commitLarge(long address, long bytes) {
    real.commitLarge(address, bytes);
  }

  @Override
  public void preferNode(long address, long bytes, int node) {
    real.preferNode(address, bytes, node);
  }

  @Override
  public void populate(long address, long bytes) {
    real.populate(address, bytes);
  }

  @Override
  public Fallbacks fallbacks() {
    return real.fallbacks();
  }

  @Override
  public long allocationGranularityBytes() {
    return real.allocationGranularityBytes();
  }

  @Override
  public long largePageBytes() {
    return real.largePageBytes();
  }

  @Override
  public long usableMemoryBytes() {
    return real.usableMemoryBytes();
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
