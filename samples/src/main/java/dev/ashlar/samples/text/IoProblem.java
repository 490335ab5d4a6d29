// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.text;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Objects;

/** Says in a few words why reading or writing failed. */
public final class IoProblem {

  private IoProblem() {}

  /**
   * Describes a failure without naming the file.
   *
   * @param e the failure
   * @return one line
   */
  public static String describe(Exception e) {
    String words =
        switch (e) {
          case NoSuchFileException missing -> "no such file or folder";
          case AccessDeniedException denied -> "permission denied";
          case EOFException end -> "unexpected end";
          case FileSystemException other -> Objects.requireNonNullElse(other.getReason(), "");
          case IOException other -> Objects.requireNonNullElse(other.getMessage(), "");
          default -> Objects.requireNonNullElse(e.getMessage(), "");
        };
    return words.isBlank() ? e.getClass().getSimpleName() : words.strip().replace('\n', ' ');
  }
}
