// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
//
// Runs a guest as a program of this machine, with the C library's allocator, for its answer.
#include <stdio.h>
#include <stdlib.h>

#include "guest.h"

int scope_mark(void) { return 0; }

void scope_reset(int mark) { (void)mark; }

int main(int count, char **words) {
  if (count != 3) {
    return 2;
  }
  printf("%lld\n", (long long)run(atoi(words[1]), atoi(words[2])));
  return 0;
}
