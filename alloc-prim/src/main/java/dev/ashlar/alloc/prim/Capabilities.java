// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.prim;

/**
 * What an operating system can do beyond the least that {@link VirtualMemory} asks for.
 *
 * @param decommitKeepsAccess a decommitted range may be touched before it is committed again: it
 *     reads as zeros, and writing backs it again
 * @param commitIsFree committing takes no memory and no quota until the range is touched, so that
 *     committing ahead costs nothing
 * @param canDecommit {@link VirtualMemory#decommit} gives memory back; without it, memory only
 *     grows
 * @param canReset {@link VirtualMemory#reset} lets memory be taken
 * @param canProtect {@link VirtualMemory#protect} changes the access
 * @param canRemap {@link VirtualMemory#remap} moves contents without copying
 */
public record Capabilities(
    boolean decommitKeepsAccess,
    boolean commitIsFree,
    boolean canDecommit,
    boolean canReset,
    boolean canProtect,
    boolean canRemap) {

  /**
   * Tells whether memory that was committed stays so for good.
   *
   * @return true if neither decommit nor reset gives any of it back
   */
  public boolean growOnly() {
    return !canDecommit && !canReset;
  }
}
