// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
//
// Sorts numbers by merging, with a block for each merge.
#include "guest.h"

static int sort(uint32_t *numbers, int32_t count) {
  if (count < 2) {
    return 1;
  }
  int32_t half = count / 2;
  if (!sort(numbers, half) || !sort(numbers + half, count - half)) {
    return 0;
  }
  uint32_t *left = malloc((size_t)half * sizeof *left);
  if (!left) {
    return 0;
  }
  for (int32_t i = 0; i < half; i++) {
    left[i] = numbers[i];
  }
  int32_t i = 0, j = half, to = 0;
  while (i < half) {
    numbers[to++] = j < count && numbers[j] < left[i] ? numbers[j++] : left[i++];
  }
  free(left);
  return 1;
}

GUEST_EXPORT int64_t run(int32_t phases, int32_t size) {
  int64_t result = 1;
  uint32_t state = 1;
  for (int32_t phase = 0; phase < phases; phase++) {
    int mark = scope_mark();
    uint32_t *numbers = malloc((size_t)size * sizeof *numbers);
    if (!numbers) {
      return NO_MEMORY;
    }
    for (int32_t i = 0; i < size; i++) {
      numbers[i] = next_random(&state);
    }
    if (!sort(numbers, size)) {
      return NO_MEMORY;
    }
    for (int32_t i = 0; i < size; i++) {
      result = mix(result, numbers[i]);
    }
    free(numbers);
    scope_reset(mark);
  }
  return result;
}
