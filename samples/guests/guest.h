// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
//
// What a guest needs of its host. Each guest exports run(), which does the same work in each of its
// phases, frees everything, and returns a number that depends on all of it, or NO_MEMORY.
#ifndef GUEST_H
#define GUEST_H

#include <stddef.h>
#include <stdint.h>

#ifdef __wasm__
#define GUEST_EXPORT __attribute__((export_name("run")))
#else
#define GUEST_EXPORT
#endif

#define NO_MEMORY (-1)

void *malloc(size_t size);
void free(void *block);
void *calloc(size_t count, size_t size);
void *realloc(void *block, size_t size);

// Between mark and reset lies a phase: the host may take back all blocks made in it.
int scope_mark(void);
void scope_reset(int mark);

int64_t run(int32_t phases, int32_t size);

// A generator of numbers that is the same everywhere.
static inline uint32_t next_random(uint32_t *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

// Mixes a number into a result, which stays positive.
static inline int64_t mix(int64_t result, uint64_t number) {
  return (int64_t)(((uint64_t)result * 1099511628211u ^ number) & INT64_MAX);
}

#endif
