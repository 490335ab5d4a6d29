// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
//
// Writes a text of nested objects and arrays into a block that grows, then parses it into a tree of
// blocks and adds it up.
#include "guest.h"

// ---- writing

typedef struct {
  char *text;
  size_t length;
  size_t room;
  int failed;
} writer;

static void put(writer *out, char c) {
  if (out->failed) {
    return;
  }
  if (out->length == out->room) {
    size_t room = out->room + out->room / 2 + 64;
    char *text = realloc(out->text, room);
    if (!text) {
      out->failed = 1;
      return;
    }
    out->text = text;
    out->room = room;
  }
  out->text[out->length++] = c;
}

static void put_number(writer *out, uint32_t number) {
  if (number >= 10) {
    put_number(out, number / 10);
  }
  put(out, (char)('0' + number % 10));
}

static void put_string(writer *out, uint32_t number) {
  put(out, '"');
  for (uint32_t i = 0; i < 4 + number % 12; i++) {
    put(out, (char)('a' + (number >> i) % 26));
  }
  put(out, '"');
}

static void put_value(writer *out, uint32_t *state, int depth) {
  uint32_t kind = depth == 0 ? 2 : next_random(state) % 6;
  if (kind >= 4 || depth > 5) {
    put_number(out, next_random(state) % 100000);
  } else if (kind == 3) {
    put_string(out, next_random(state));
  } else {
    int object = kind == 1;
    uint32_t count = next_random(state) % 7;
    put(out, object ? '{' : '[');
    for (uint32_t i = 0; i < count; i++) {
      if (i > 0) {
        put(out, ',');
      }
      if (object) {
        put_string(out, next_random(state));
        put(out, ':');
      }
      put_value(out, state, depth + 1);
    }
    put(out, object ? '}' : ']');
  }
}

// ---- parsing

typedef struct value {
  struct value *next;   // in the array or object this is in
  struct value *first;  // of an array or object
  char *name;           // in an object
  char *string;
  uint32_t number;
} value;

typedef struct {
  const char *at;
  const char *end;
  int failed;
} reader;

static void free_value(value *v) {
  while (v) {
    value *next = v->next;
    free_value(v->first);
    free(v->name);
    free(v->string);
    free(v);
    v = next;
  }
}

static int accept(reader *in, char c) {
  if (in->at < in->end && *in->at == c) {
    in->at++;
    return 1;
  }
  return 0;
}

static char *read_string(reader *in) {
  const char *from = ++in->at;
  while (in->at < in->end && *in->at != '"') {
    in->at++;
  }
  size_t length = (size_t)(in->at - from);
  char *string = malloc(length + 1);
  if (!string) {
    in->failed = 1;
    return NULL;
  }
  for (size_t i = 0; i < length; i++) {
    string[i] = from[i];
  }
  string[length] = 0;
  in->at++;
  return string;
}

static value *read_value(reader *in) {
  value *v = calloc(1, sizeof *v);
  if (!v) {
    in->failed = 1;
    return NULL;
  }
  char c = in->at < in->end ? *in->at : 0;
  if (c == '"') {
    v->string = read_string(in);
  } else if (c == '[' || c == '{') {
    char last = c == '[' ? ']' : '}';
    value **link = &v->first;
    in->at++;
    while (!in->failed && !accept(in, last)) {
      accept(in, ',');
      char *name = NULL;
      if (c == '{') {
        name = read_string(in);
        accept(in, ':');
      }
      *link = in->failed ? NULL : read_value(in);
      if (!*link) {
        free(name);
        break;
      }
      (*link)->name = name;
      link = &(*link)->next;
    }
  } else {
    while (in->at < in->end && *in->at >= '0' && *in->at <= '9') {
      v->number = v->number * 10 + (uint32_t)(*in->at++ - '0');
    }
  }
  return v;
}

static int64_t add_up(const value *v, int64_t result) {
  for (; v; v = v->next) {
    for (const char *s = v->name; s && *s; s++) {
      result = mix(result, (uint8_t)*s);
    }
    for (const char *s = v->string; s && *s; s++) {
      result = mix(result, (uint8_t)*s);
    }
    result = mix(add_up(v->first, result), v->number);
  }
  return result;
}

GUEST_EXPORT int64_t run(int32_t phases, int32_t size) {
  int64_t result = 1;
  uint32_t state = 3;
  for (int32_t phase = 0; phase < phases; phase++) {
    int mark = scope_mark();
    writer out = {NULL, 0, 0, 0};
    put(&out, '[');
    for (int32_t i = 0; i < size; i++) {
      if (i > 0) {
        put(&out, ',');
      }
      put_value(&out, &state, 0);
    }
    put(&out, ']');
    if (out.failed) {
      return NO_MEMORY;
    }
    reader in = {out.text, out.text + out.length, 0};
    value *root = read_value(&in);
    if (in.failed) {
      return NO_MEMORY;
    }
    result = mix(add_up(root, result), out.length);
    free_value(root);
    free(out.text);
    scope_reset(mark);
  }
  return result;
}
