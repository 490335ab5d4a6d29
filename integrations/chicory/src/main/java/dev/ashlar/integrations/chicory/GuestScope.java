// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.integrations.chicory;

import com.dylibso.chicory.runtime.Memory;
import dev.ashlar.alloc.api.NativeMemoryExhaustedError;
import dev.ashlar.alloc.wasm.GuestAllocator;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Blocks that a host makes in a guest's memory to pass bytes and strings in and out, all freed when
 * the scope closes.
 *
 * <p>Offsets are pointers of the guest: pass them as they are, an {@code int} with all 32 bits in
 * use. Not safe for use by several threads at once.
 */
public final class GuestScope implements AutoCloseable {

  private final GuestAllocator allocator;
  private final Memory memory;
  private int[] blocks = new int[8];
  private int count;
  private boolean closed;

  GuestScope(GuestAllocator allocator, Memory memory) {
    this.allocator = allocator;
    this.memory = memory;
  }

  /**
   * Makes a zeroed block.
   *
   * @param size the size in bytes; zero is allowed
   * @return the guest's pointer to it, never 0
   * @throws IllegalArgumentException if {@code size} is negative
   * @throws IllegalStateException if this scope is closed
   * @throws NativeMemoryExhaustedError if the guest's memory has no room
   */
  public int allocate(int size) {
    if (closed) {
      throw new IllegalStateException("the scope is closed");
    }
    if (count == blocks.length) {
      blocks = Arrays.copyOf(blocks, 2 * count);
    }
    int block = (int) allocator.zalloc(size);
    blocks[count++] = block;
    return block;
  }

  /**
   * Makes a block with the bytes of an array.
   *
   * @param bytes the bytes
   * @return the guest's pointer to it
   * @throws IllegalStateException if this scope is closed
   * @throws NativeMemoryExhaustedError if the guest's memory has no room
   */
  public int bytes(byte[] bytes) {
    int block = allocate(bytes.length);
    memory.write(block, bytes);
    return block;
  }

  /**
   * Makes a block with a string as C has it: in UTF-8, a zero byte behind it.
   *
   * @param string the string
   * @return the guest's pointer to it
   * @throws IllegalArgumentException if the string contains a zero character
   * @throws IllegalStateException if this scope is closed
   * @throws NativeMemoryExhaustedError if the guest's memory has no room
   */
  public int string(String string) {
    if (string.indexOf(0) >= 0) {
      throw new IllegalArgumentException("the string contains a zero, where C's would end");
    }
    byte[] bytes = string.getBytes(StandardCharsets.UTF_8);
    return bytes(Arrays.copyOf(bytes, bytes.length + 1));
  }

  /**
   * Reads bytes that the guest has written.
   *
   * @param pointer where they begin
   * @param size how many bytes
   * @return the bytes
   */
  public byte[] read(int pointer, int size) {
    return memory.readBytes(pointer, size);
  }

  /** Frees the blocks of this scope, the newest first. A second close does nothing. */
  @Override
  public void close() {
    closed = true;
    while (count > 0) {
      allocator.free(Integer.toUnsignedLong(blocks[--count]));
    }
  }
}
