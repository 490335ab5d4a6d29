// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
//
// Calls what it imports, as its host says.
#include <stddef.h>

#define EXPORT(name) __attribute__((export_name(name)))

void *malloc(size_t size);
void free(void *block);
void *calloc(size_t count, size_t size);
void *realloc(void *block, size_t size);
void *aligned_alloc(size_t alignment, size_t size);
size_t malloc_usable_size(void *block);
int scope_mark(void);
void scope_reset(int mark);

EXPORT("do_malloc") void *do_malloc(size_t size) { return malloc(size); }

EXPORT("do_free") void do_free(void *block) { free(block); }

EXPORT("do_calloc") void *do_calloc(size_t count, size_t size) { return calloc(count, size); }

EXPORT("do_realloc") void *do_realloc(void *block, size_t size) { return realloc(block, size); }

EXPORT("do_aligned") void *do_aligned(size_t alignment, size_t size) {
  return aligned_alloc(alignment, size);
}

EXPORT("do_usable") size_t do_usable(void *block) { return malloc_usable_size(block); }

EXPORT("do_mark") int do_mark(void) { return scope_mark(); }

EXPORT("do_reset") void do_reset(int mark) { scope_reset(mark); }

EXPORT("length") size_t length(const char *string) {
  size_t length = 0;
  while (string[length]) {
    length++;
  }
  return length;
}
