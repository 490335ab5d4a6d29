// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
//
// Keeps one copy of each word, in a hash table that doubles when it is full.
#include "guest.h"

typedef struct word {
  struct word *next;
  uint32_t hash;
  uint32_t seen;
  uint32_t length;
  char letters[];
} word;

typedef struct {
  word **buckets;
  uint32_t mask;
  uint32_t count;
} table;

static int grow(table *words) {
  uint32_t mask = words->mask * 2 + 1;
  word **buckets = calloc(mask + 1, sizeof *buckets);
  if (!buckets) {
    return 0;
  }
  for (uint32_t i = 0; words->buckets && i <= words->mask; i++) {
    for (word *w = words->buckets[i], *next; w; w = next) {
      next = w->next;
      w->next = buckets[w->hash & mask];
      buckets[w->hash & mask] = w;
    }
  }
  free(words->buckets);
  words->buckets = buckets;
  words->mask = mask;
  return 1;
}

static word *intern(table *words, const char *letters, uint32_t length) {
  uint32_t hash = 2166136261u;
  for (uint32_t i = 0; i < length; i++) {
    hash = (hash ^ (uint8_t)letters[i]) * 16777619u;
  }
  for (word *w = words->buckets[hash & words->mask]; w; w = w->next) {
    uint32_t same = 0;
    while (w->hash == hash && w->length == length && same < length
           && w->letters[same] == letters[same]) {
      same++;
    }
    if (w->hash == hash && w->length == length && same == length) {
      w->seen++;
      return w;
    }
  }
  if (words->count > words->mask && !grow(words)) {
    return NULL;
  }
  word *w = malloc(sizeof *w + length);
  if (!w) {
    return NULL;
  }
  w->hash = hash;
  w->seen = 1;
  w->length = length;
  for (uint32_t i = 0; i < length; i++) {
    w->letters[i] = letters[i];
  }
  w->next = words->buckets[hash & words->mask];
  words->buckets[hash & words->mask] = w;
  words->count++;
  return w;
}

GUEST_EXPORT int64_t run(int32_t phases, int32_t size) {
  int64_t result = 1;
  uint32_t state = 2;
  for (int32_t phase = 0; phase < phases; phase++) {
    int mark = scope_mark();
    table words = {NULL, 7, 0};
    if (!grow(&words)) {
      return NO_MEMORY;
    }
    for (int32_t i = 0; i < size; i++) {
      char letters[24];
      uint32_t number = next_random(&state) % ((uint32_t)size / 2 + 1);
      uint32_t length = 3 + number % 20;
      for (uint32_t l = 0; l < length; l++) {
        letters[l] = (char)('a' + (number >> l % 16) % 26);
      }
      word *w = intern(&words, letters, length);
      if (!w) {
        return NO_MEMORY;
      }
      result = mix(result, w->seen * 31 + w->hash);
    }
    result = mix(result, words.count);
    for (uint32_t i = 0; i <= words.mask; i++) {
      for (word *w = words.buckets[i], *next; w; w = next) {
        next = w->next;
        free(w);
      }
    }
    free(words.buckets);
    scope_reset(mark);
  }
  return result;
}
