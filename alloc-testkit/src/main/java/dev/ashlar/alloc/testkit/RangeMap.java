// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
package dev.ashlar.alloc.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * What is known of ranges of addresses, such as which pages are committed. Neighbours of the same
 * value are one range. Not safe for use by many threads.
 *
 * @param <V> what is known; null where nothing is
 */
final class RangeMap<V> {

  /**
   * A part of the address space.
   *
   * @param from its first address
   * @param to the address after its last one
   * @param value what is known of it, or null
   */
  record Run<V>(long from, long to, V value) {

    long bytes() {
      return to - from;
    }
  }

  private final NavigableMap<Long, Run<V>> runs = new TreeMap<>();

  /** Sets what is known of a range. */
  void put(long from, long to, V value) {
    clear(from, to);
    long start = from;
    long end = to;
    Map.Entry<Long, Run<V>> before = runs.lowerEntry(from);
    if (before != null
        && before.getValue().to() == from
        && before.getValue().value().equals(value)) {
      start = before.getKey();
    }
    Run<V> after = runs.get(to);
    if (after != null && after.value().equals(value)) {
      runs.remove(to);
      end = after.to();
    }
    runs.put(start, new Run<>(start, end, value));
  }

  /** Forgets what is known of a range. */
  void clear(long from, long to) {
    for (Run<V> run : known(from, to)) {
      runs.remove(run.from());
      if (run.from() < from) {
        runs.put(run.from(), new Run<>(run.from(), from, run.value()));
      }
      if (run.to() > to) {
        runs.put(to, new Run<>(to, run.to(), run.value()));
      }
    }
  }

  /** Returns the runs that overlap a range, whole. */
  private List<Run<V>> known(long from, long to) {
    List<Run<V>> found = new ArrayList<>();
    Map.Entry<Long, Run<V>> at = runs.floorEntry(from);
    if (at == null || at.getValue().to() <= from) {
      at = runs.higherEntry(from);
    }
    while (at != null && at.getKey() < to) {
      found.add(at.getValue());
      at = runs.higherEntry(at.getKey());
    }
    return found;
  }

  /** Returns the parts that a range consists of in order, those without a value included. */
  List<Run<V>> parts(long from, long to) {
    List<Run<V>> parts = new ArrayList<>();
    long next = from;
    for (Run<V> run : known(from, to)) {
      if (run.from() > next) {
        parts.add(new Run<>(next, run.from(), null));
      }
      parts.add(new Run<>(Math.max(run.from(), from), Math.min(run.to(), to), run.value()));
      next = run.to();
    }
    if (next < to) {
      parts.add(new Run<>(next, to, null));
    }
    return parts;
  }

  /** Returns the whole run that an address is in, or null. */
  Run<V> at(long address) {
    Map.Entry<Long, Run<V>> at = runs.floorEntry(address);
    return at == null || at.getValue().to() <= address ? null : at.getValue();
  }
}
