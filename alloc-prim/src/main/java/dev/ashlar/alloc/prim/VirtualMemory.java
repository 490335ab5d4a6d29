// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.prim;

import dev.ashlar.alloc.api.ProcessMemory;

/**
 * The operating system's memory calls, as the allocators need them: the contract that every binding
 * keeps.
 *
 * <p>Addresses and sizes are in bytes. A range lies in one reservation, is not empty, and begins
 * and ends on multiples of {@link #osPageBytes()}. Each OS page of it is in one of these states:
 *
 * <table>
 * <caption>The states of an OS page</caption>
 * <tr><th>state</th><th>contents</th><th>access</th><th>left by</th></tr>
 * <tr><td><em>reserved</em></td><td>none; zeros if reserved to be read</td>
 *     <td>as reserved</td><td>commit, release</td></tr>
 * <tr><td><em>committed</em></td><td>zero at first, then what was written</td>
 *     <td>read and write, or as protected</td><td>decommit, reset, remap, release</td></tr>
 * <tr><td><em>reset</em></td><td>unspecified</td>
 *     <td>do not touch</td><td>commit, decommit, release</td></tr>
 * <tr><td><em>decommitted</em></td><td colspan="3">like reserved</td></tr>
 * </table>
 *
 * <p>A range may be of pages in different states, where an operation does not say otherwise: commit
 * takes pages of any state, decommit takes all of them too.
 *
 * <p>Failure: a range that is none is an {@link IllegalArgumentException}, and no call is made. A
 * refusal by the operating system is a {@link VirtualMemoryException} with the name of its error;
 * all pages keep their state, their contents and their access. An operation that {@link
 * #capabilities()} denies is an {@link UnsupportedOperationException}. What is asked for as a
 * preference (large pages, a node) is not refused: falling back is counted in {@link #fallbacks()}.
 *
 * <p>Bindings cannot tell whether an address belongs to the caller: to name memory of others is a
 * fault that may end the JVM.
 *
 * @implSpec Implementations are safe for use by many threads at once. Operations on disjoint ranges
 *     do not disturb each other; of two on the same range, one comes first.
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

  // ---- address space

  /**
   * Reserves address space without backing it. Nothing else in the process gets it until it is
   * released.
   *
   * @param bytes the size in bytes, positive and a multiple of {@link #osPageBytes()}
   * @param alignment the alignment in bytes of the result: a power of two of at least {@link
   *     #osPageBytes()}
   * @param access {@link Access#NONE}, or {@link Access#READ} for a range that reads as zeros
   *     wherever it is not committed; the latter may count against the process's quota where {@link
   *     Capabilities#commitIsFree()} does not hold
   * @return the address of the range, a multiple of {@link #allocationGranularityBytes()} too
   * @throws IllegalArgumentException if the size or the alignment is not as above, or {@code
   *     access} is {@link Access#READ_WRITE}
   * @throws VirtualMemoryException if the operating system refuses
   */
  long reserve(long bytes, long alignment, Access access);

  /**
   * Gives a whole reservation back, whatever the state of its pages. Every access faults
   * afterwards, until something else of the process is mapped there. Parts cannot be released.
   *
   * @param address what {@link #reserve} returned
   * @param bytes the size it was reserved with
   * @throws IllegalArgumentException if that is no range
   * @throws VirtualMemoryException if the operating system refuses
   */
  void release(long address, long bytes);

  // ---- backing

  /**
   * Makes a range readable and writable. Pages that were reserved or decommitted read as zero
   * afterwards; committed ones keep their contents, also if they were protected; those of reset
   * ones are unspecified.
   *
   * @param address the beginning of the range
   * @param bytes its size in bytes
   * @throws IllegalArgumentException if that is no range
   * @throws VirtualMemoryException if the operating system refuses
   */
  void commit(long address, long bytes);

  /**
   * Takes the backing from a range at once: what was resident is so no more when this returns. The
   * pages are as they were reserved, so they must be committed before they are used again, and read
   * as zero then. In between, those of a range reserved with {@link Access#READ} can be read, and
   * all can be read and written where {@link Capabilities#decommitKeepsAccess()} holds.
   *
   * @param address the beginning of the range
   * @param bytes its size in bytes
   * @throws IllegalArgumentException if that is no range
   * @throws UnsupportedOperationException if {@link Capabilities#canDecommit()} does not hold
   * @throws VirtualMemoryException if the operating system refuses; the range is then still
   *     committed, with its contents
   */
  void decommit(long address, long bytes);

  /**
   * Allows the operating system to take the backing of a committed range whenever it is short of
   * memory, without writing it anywhere. The contents are lost: each page is, at a time nobody
   * knows, as it was or zero. The range must be committed before it is used again, which costs less
   * than after {@link #decommit} where the pages are still there.
   *
   * @param address the beginning of the range, committed
   * @param bytes its size in bytes
   * @throws IllegalArgumentException if that is no range
   * @throws UnsupportedOperationException if {@link Capabilities#canReset()} does not hold
   * @throws VirtualMemoryException if the operating system refuses
   */
  default void reset(long address, long bytes) {
    throw new UnsupportedOperationException("reset");
  }

  /**
   * Changes what a committed range may be used for; its contents stay. {@link #commit} or {@link
   * Access#READ_WRITE} ends the protection. It must be ended before the range is decommitted or
   * reset.
   *
   * @param address the beginning of the range, committed
   * @param bytes its size in bytes
   * @param access the new access
   * @throws IllegalArgumentException if that is no range
   * @throws UnsupportedOperationException if {@link Capabilities#canProtect()} does not hold
   * @throws VirtualMemoryException if the operating system refuses
   */
  void protect(long address, long bytes, Access access);

  /**
   * Moves the contents of a committed range to a reserved one without copying them. Afterwards
   * {@code to} is committed with these contents and {@code from} is decommitted. To grow a range
   * that cannot grow in place, move it to the beginning of a larger one and commit the rest.
   *
   * @param from the beginning of the range that is moved, committed and not protected
   * @param to the beginning of a range of the same size that does not overlap it, no page committed
   * @param bytes the size of both in bytes
   * @throws IllegalArgumentException if one of them is no range, or they overlap
   * @throws UnsupportedOperationException if {@link Capabilities#canRemap()} does not hold
   * @throws VirtualMemoryException if the operating system refuses, as it may if the range was
   *     committed in parts; both are then as they were
   */
  default void remap(long from, long to, long bytes) {
    throw new UnsupportedOperationException("remap");
  }

  // ---- preferences

  /**
   * Reserves and commits a range, of large pages if the operating system has them to give. Some
   * operating systems give large pages to new ranges only. It is not decommitted, reset, protected
   * or remapped, only released.
   *
   * @param bytes the size in bytes, positive and a multiple of {@link #osPageBytes()}
   * @param alignment as in {@link #reserve}
   * @return the address of the range
   * @throws IllegalArgumentException if the size or the alignment is not as in {@link #reserve}
   * @throws VirtualMemoryException if there are no ordinary pages either
   */
  default long reserveLarge(long bytes, long alignment) {
    long address = reserve(bytes, alignment, Access.NONE);
    try {
      commitLarge(address, bytes);
    } catch (VirtualMemoryException e) {
      release(address, bytes);
      throw e;
    }
    return address;
  }

  /**
   * Commits a reserved range, with large pages if the operating system has them to give and the
   * range is of whole ones. Parts of it that are decommitted or protected begin and end on
   * multiples of {@link #largePageBytes()}, and it cannot be remapped. An operating system that has
   * no large pages left is not asked for them again.
   *
   * @param address the beginning of the range, no page committed
   * @param bytes its size in bytes
   * @throws IllegalArgumentException if that is no range
   * @throws VirtualMemoryException if there are no ordinary pages either
   */
  default void commitLarge(long address, long bytes) {
    commit(address, bytes);
  }

  /**
   * Asks for the memory of a committed range to come from one node of a machine whose memory is not
   * equally near to all processors. Pages that are backed already stay where they are.
   *
   * @param address the beginning of the range
   * @param bytes its size in bytes
   * @param node the number of the node, from 0 to 63
   * @throws IllegalArgumentException if that is no range or no such number
   */
  default void preferNode(long address, long bytes, int node) {}

  /**
   * Asks for a committed range to be backed at once instead of when each page is first touched,
   * which pays where all of it will be.
   *
   * @param address the beginning of the range
   * @param bytes its size in bytes
   * @throws IllegalArgumentException if that is no range
   */
  default void populate(long address, long bytes) {}

  /**
   * Counts the preferences that were not fulfilled.
   *
   * @return the counts since the binding was opened
   */
  default Fallbacks fallbacks() {
    return Fallbacks.NONE;
  }

  // ---- what the machine is like

  /**
   * Returns the size of the operating system's page, the granularity of every range.
   *
   * @return the size in bytes, a power of two of at least 4 KiB
   */
  long osPageBytes();

  /**
   * Returns what reservations begin at a multiple of. A reservation that ends elsewhere wastes the
   * address space up to the next multiple.
   *
   * @return the size in bytes, a power of two of at least {@link #osPageBytes()}
   */
  default long allocationGranularityBytes() {
    return osPageBytes();
  }

  /**
   * Returns the size of a large page.
   *
   * @return the size in bytes, a power of two greater than {@link #osPageBytes()}, or 0 if there
   *     are none
   */
  default long largePageBytes() {
    return 0;
  }

  /**
   * Returns how much physical memory the machine has.
   *
   * @return the size in bytes
   */
  long physicalMemoryBytes();

  /**
   * Returns how much memory this process may use: the limit of the container it runs in, or the
   * physical memory if that is less.
   *
   * @return the size in bytes, at most {@link #physicalMemoryBytes()}
   */
  default long usableMemoryBytes() {
    return physicalMemoryBytes();
  }

  /**
   * Says which of the optional abilities this operating system has.
   *
   * @return the abilities, the same at each call
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
