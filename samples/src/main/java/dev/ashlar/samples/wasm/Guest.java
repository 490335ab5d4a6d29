// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.wasm;

import com.dylibso.chicory.wasm.Parser;
import com.dylibso.chicory.wasm.WasmModule;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Properties;

/**
 * A C program compiled for WebAssembly, from the folder {@code guests}.
 *
 * @param name its name
 * @param phases how often it does its work
 * @param size how much work it does in each phase
 * @param answer what the same program answers when it is compiled for the machine
 */
public record Guest(String name, int phases, int size, long answer) {

  /** What a guest answers when a request for memory was refused. */
  static final long NO_MEMORY = -1;

  private static final String LIST = "guests.properties";

  /**
   * Returns all guests.
   *
   * @return the guests by name
   */
  public static List<Guest> all() {
    Properties lines = new Properties();
    try (InputStream in = open(LIST)) {
      lines.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    List<Guest> guests = new ArrayList<>();
    for (String name : lines.stringPropertyNames().stream().sorted().toList()) {
      String[] words = lines.getProperty(name).split(" ", -1);
      guests.add(
          new Guest(
              name,
              Integer.parseInt(words[0]),
              Integer.parseInt(words[1]),
              Long.parseLong(words[2])));
    }
    return guests;
  }

  /** Reads its code. */
  WasmModule module() {
    try (InputStream in = open(name + ".wasm")) {
      return Parser.parse(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static InputStream open(String file) {
    return Objects.requireNonNull(Guest.class.getResourceAsStream(file), file);
  }
}
