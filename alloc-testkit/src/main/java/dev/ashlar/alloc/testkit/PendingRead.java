// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/**
 * A read into a segment that has begun and does not end before it is told to: the one way, without
 * native code, to have a segment of many threads in use for as long as a test needs.
 *
 * <p>It reads from a socket of this machine to itself. An asynchronous read holds its buffer's
 * scope from before the call returns until the data is there, so no timing is involved. Segments
 * confined to a thread cannot be read into this way; there is no portable way to hold one of those.
 */
final class PendingRead implements AutoCloseable {

  private final AsynchronousServerSocketChannel server;
  private final AsynchronousSocketChannel reader;
  private final AsynchronousSocketChannel writer;
  private final Future<Integer> read;

  private PendingRead(MemorySegment segment)
      throws IOException, InterruptedException, ExecutionException {
    server = AsynchronousServerSocketChannel.open();
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    reader = AsynchronousSocketChannel.open();
    Future<AsynchronousSocketChannel> accepted = server.accept();
    reader.connect(server.getLocalAddress()).get();
    writer = accepted.get();
    read = reader.read(segment.asByteBuffer());
  }

  static PendingRead into(MemorySegment segment)
      throws IOException, InterruptedException, ExecutionException {
    return new PendingRead(segment);
  }

  /** Lets the read end with one byte. */
  void complete(byte value) throws InterruptedException, ExecutionException {
    Integer written = writer.write(ByteBuffer.wrap(new byte[] {value})).get();
    Integer got = read.get();
    if (written != 1 || got != 1) {
      throw new AssertionError("wrote " + written + " bytes and read " + got);
    }
  }

  @Override
  public void close() throws IOException {
    reader.close();
    writer.close();
    server.close();
  }
}
