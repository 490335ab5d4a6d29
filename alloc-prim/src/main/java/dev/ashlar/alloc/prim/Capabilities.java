// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.prim;

/**
 * What an operating system can do beyond the least that {@link VirtualMemory} asks for.
 *
 * @param decommitKeepsAccess a decommitted range may be touched before it is committed again, and
 *     reads as zeros
 * @param commitIsFree committing takes no memory and no quota until the range is touched, so that
 *     committing ahead costs nothing
 */
public record Capabilities(boolean decommitKeepsAccess, boolean commitIsFree) {}
