// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
//
// Inserts and removes keys in a search tree that is balanced by random priorities.
#include "guest.h"

typedef struct node {
  struct node *left;
  struct node *right;
  uint32_t key;
  uint32_t priority;
  uint32_t seen;
} node;

static node *join(node *left, node *right) {
  if (!left || !right) {
    return left ? left : right;
  }
  if (left->priority > right->priority) {
    left->right = join(left->right, right);
    return left;
  }
  right->left = join(left, right->left);
  return right;
}

static void split(node *tree, uint32_t key, node **left, node **right) {
  if (!tree) {
    *left = *right = NULL;
  } else if (tree->key < key) {
    split(tree->right, key, &tree->right, right);
    *left = tree;
  } else {
    split(tree->left, key, left, &tree->left);
    *right = tree;
  }
}

static int insert(node **tree, uint32_t key, uint32_t priority) {
  for (node *n = *tree; n; n = key < n->key ? n->left : n->right) {
    if (n->key == key) {
      n->seen++;
      return 1;
    }
  }
  node *added = malloc(sizeof *added);
  if (!added) {
    return 0;
  }
  node *left, *right;
  split(*tree, key, &left, &right);
  *added = (node){NULL, NULL, key, priority, 1};
  *tree = join(join(left, added), right);
  return 1;
}

static uint32_t remove_key(node **tree, uint32_t key) {
  node **link = tree;
  while (*link && (*link)->key != key) {
    link = key < (*link)->key ? &(*link)->left : &(*link)->right;
  }
  node *found = *link;
  if (!found) {
    return 0;
  }
  uint32_t seen = found->seen;
  *link = join(found->left, found->right);
  free(found);
  return seen;
}

static int64_t add_up(const node *tree, int64_t result) {
  if (!tree) {
    return result;
  }
  result = mix(add_up(tree->left, result), (uint64_t)tree->key << 8 | tree->seen);
  return add_up(tree->right, result);
}

static void free_tree(node *tree) {
  if (tree) {
    free_tree(tree->left);
    free_tree(tree->right);
    free(tree);
  }
}

GUEST_EXPORT int64_t run(int32_t phases, int32_t size) {
  int64_t result = 1;
  uint32_t state = 4;
  for (int32_t phase = 0; phase < phases; phase++) {
    int mark = scope_mark();
    node *tree = NULL;
    for (int32_t i = 0; i < size; i++) {
      uint32_t key = next_random(&state) % (uint32_t)size;
      if (!insert(&tree, key, next_random(&state))) {
        return NO_MEMORY;
      }
      result = mix(result, remove_key(&tree, next_random(&state) % (uint32_t)size));
    }
    result = add_up(tree, result);
    free_tree(tree);
    scope_reset(mark);
  }
  return result;
}
