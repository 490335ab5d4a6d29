// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.prim;

import dev.ashlar.alloc.api.ProcessMemory;

/**
 * The operating system's memory calls, as the allocators need them.
 *
 * <p>A range goes through these states: <em>reserved</em> (address space that nothing else gets,
 * not backed), <em>committed</em> (readable, writable, backed on first touch), <em>decommitted</em>
 * (contents gone, backing returned; to be committed again before use), and unknown to this process
 * again after {@link #release}. Addresses and sizes are in bytes; every range begins and ends on a
 * multiple of {@link #osPageBytes()}.
 *
 * <p>A refusal by the operating system is a {@link VirtualMemoryException} with the name of its
 * error, and leaves the range in the state it was in.
 *
 * @implSpec Implementations are safe for use by many threads at once.
 */
public interface VirtualMemory {

  /** What a range may be used for. */
  enum Access {
    /** Any access faults. */
    NONE,
    /** Reading is allowed; writing faults. */
    READ,
    /** Reading and writing are allowed. */
    READ_WRITE
  }

  /**
   * Returns the binding of the operating system this process runs on.
   *
   * @return the binding, the same object at each call
   * @throws UnsupportedOperationException if there is no binding for this operating system
   */
  static VirtualMemory system() {
    return SystemMemory.get();
  }

  /**
   * Reserves address space without backing it.
   *
   * @param bytes the size in bytes, positive
   * @param alignment the alignment in bytes of the result: a power of two of at least {@link
   *     #osPageBytes()}
   * @param access {@link Access#NONE}, or {@link Access#READ} for a range that reads as zeros until
   *     it is committed
   * @return the address of the range
   * @throws VirtualMemoryException if the operating system refuses
   */
  long reserve(long bytes, long alignment, Access access);

  /**
   * Gives a whole range back, reserved or committed.
   *
   * @param address what {@link #reserve} returned
   * @param bytes the size it was reserved with
   * @throws VirtualMemoryException if the operating system refuses
   */
  void release(long address, long bytes);

  /**
   * Makes a part of a reserved range readable and writable. Bytes that were never committed, or
   * were decommitted since, read as zero; bytes that are committed already keep their contents.
   *
   * @param address the beginning of the part
   * @param bytes its size in bytes
   * @throws VirtualMemoryException if the operating system refuses
   */
  void commit(long address, long bytes);

  /**
   * Returns the backing of a committed part. Its contents are lost and it must be committed before
   * it is used again; where {@link Capabilities#decommitKeepsAccess()} holds, an access in between
   * sees zeros instead of faulting.
   *
   * @param address the beginning of the part
   * @param bytes its size in bytes
   * @throws VirtualMemoryException if the operating system refuses; the part is then still
   *     committed, with its contents
   */
  void decommit(long address, long bytes);

  /**
   * Changes what a committed part may be used for; its contents stay.
   *
   * @param address the beginning of the part
   * @param bytes its size in bytes
   * @param access the new access
   * @throws VirtualMemoryException if the operating system refuses
   */
  void protect(long address, long bytes, Access access);

  /**
   * Returns the size of the operating system's page.
   *
   * @return the size in bytes, a power of two
   */
  long osPageBytes();

  /**
   * Returns how much physical memory the machine has.
   *
   * @return the size in bytes
   */
  long physicalMemoryBytes();

  /**
   * Says which of the optional abilities this operating system has.
   *
   * @return the abilities
   */
  Capabilities capabilities();

  /**
   * Returns the operating system's source of random bytes.
   *
   * @return the source
   */
  Entropy entropy();

  /**
   * Returns a monotonic clock.
   *
   * @return the clock
   */
  Clock clock();

  /**
   * Reads what the operating system counts as this process's memory.
   *
   * @return the counts
   * @throws VirtualMemoryException if it cannot be read
   */
  ProcessMemory processMemory();
}
