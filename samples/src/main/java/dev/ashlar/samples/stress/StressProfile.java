// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

package dev.ashlar.samples.stress;

import dev.ashlar.alloc.api.Allocator;
import dev.ashlar.alloc.profiles.Ashlar;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** The settings of the allocator that a stress run opens. */
public enum StressProfile {
  /** Default settings. */
  DEFAULT("default", true),
  /** Frees are not checked. */
  UNCHECKED("unchecked", false);

  private final String label;
  private final boolean checks;

  StressProfile(String label, boolean checks) {
    this.label = label;
    this.checks = checks;
  }

  /**
   * Returns the name by which users choose it.
   *
   * @return the name
   */
  public String label() {
    return label;
  }

  /**
   * Opens an allocator with these settings.
   *
   * @return an open allocator
   */
  public Allocator open() {
    return Ashlar.builder().name("stress").checks(checks).build();
  }

  /**
   * Finds a profile by name.
   *
   * @param label the name
   * @return the profile, or empty if none has that name
   */
  public static Optional<StressProfile> named(String label) {
    return Arrays.stream(values()).filter(profile -> profile.label.equals(label)).findFirst();
  }

  /**
   * Lists the names of all profiles.
   *
   * @return the names with commas between them
   */
  public static String labels() {
    return Arrays.stream(values()).map(StressProfile::label).collect(Collectors.joining(", "));
  }

  @Override
  public String toString() {
    return label;
  }
}
