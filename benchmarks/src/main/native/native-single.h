// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

/* Workloads of one thread. */

/* pingpong: allocate, write, free. */
static uint64_t pingpong_sample(struct bench *b) {
    const size_t n = b->w->lo;
    const uint64_t ops = b->ops, start = now_ns();
    for (uint64_t i = 0; i < ops; i++) blk_free_sized(take(n, i), n);
    return now_ns() - start;
}

/* zeroed: the same with memory that is zero. */
static uint64_t zeroed_sample(struct bench *b) {
    const size_t n = b->w->lo;
    const uint64_t ops = b->ops, start = now_ns();
    for (uint64_t i = 0; i < ops; i++) {
        void *p = blk_calloc(n);
        if (!p) die("calloc");
        stamp(p, n, i);
        blk_free_sized(p, n);
    }
    return now_ns() - start;
}

/* churn: replace a pseudo-random one of `slots` live blocks. */
static void churn_setup(struct bench *b) {
    const struct workload *w = b->w;
    b->slot = map_pages(w->slots * sizeof(void *));
    for (uint32_t i = 0; i < w->slots; i++)
        b->slot[i] = take(pick_size(next_random(&b->rng), w->lo, w->hi - w->lo + 1), i);
}

static uint64_t churn_sample(struct bench *b) {
    const uint32_t slots = b->w->slots, lo = b->w->lo, span = b->w->hi - lo + 1;
    void **slot = b->slot;
    uint64_t rng = b->rng;
    const uint64_t ops = b->ops, start = now_ns();
    for (uint64_t i = 0; i < ops; i++) {
        uint64_t r = next_random(&rng);
        uint32_t s = pick_slot(r, slots);
        blk_free(slot[s]);
        slot[s] = take(pick_size(r, lo, span), i);
    }
    uint64_t elapsed = now_ns() - start;
    b->rng = rng;
    return elapsed;
}

static void churn_teardown(struct bench *b) {
    for (uint32_t i = 0; i < b->w->slots; i++) blk_free(b->slot[i]);
    munmap(b->slot, b->w->slots * sizeof(void *));
}

/* batch: allocate `slots` blocks, then free all of them, newest or oldest first. */
static void batch_setup(struct bench *b) { b->slot = map_pages(b->w->slots * sizeof(void *)); }
static void batch_teardown(struct bench *b) { munmap(b->slot, b->w->slots * sizeof(void *)); }

static uint64_t batch_sample(struct bench *b, int newest_first) {
    const uint32_t slots = b->w->slots;
    const size_t n = b->w->lo;
    void **slot = b->slot;
    const uint64_t rounds = b->ops / slots, start = now_ns();
    for (uint64_t r = 0; r < rounds; r++) {
        for (uint32_t i = 0; i < slots; i++) slot[i] = take(n, i);
        if (newest_first) for (uint32_t i = slots; i-- > 0;) blk_free_sized(slot[i], n);
        else for (uint32_t i = 0; i < slots; i++) blk_free_sized(slot[i], n);
    }
    return now_ns() - start;
}
static uint64_t batch_lifo_sample(struct bench *b) { return batch_sample(b, 1); }
static uint64_t batch_fifo_sample(struct bench *b) { return batch_sample(b, 0); }

/* request: allocate `slots` blocks of mixed sizes, then free all; one op is the whole request. */
static uint64_t request_sample(struct bench *b) {
    const uint32_t slots = b->w->slots, lo = b->w->lo, span = b->w->hi - lo + 1;
    void **slot = b->slot;
    uint64_t rng = b->rng;
    const uint64_t ops = b->ops, start = now_ns();
    for (uint64_t r = 0; r < ops; r++) {
        for (uint32_t i = 0; i < slots; i++) slot[i] = take(pick_size(next_random(&rng), lo, span), i);
        for (uint32_t i = 0; i < slots; i++) blk_free(slot[i]);
    }
    uint64_t elapsed = now_ns() - start;
    b->rng = rng;
    return elapsed;
}

/* realloc-double: 64 B doubled to 64 MiB, last byte written each time; one op is the whole chain. */
static uint64_t realloc_double_sample(struct bench *b) {
    const size_t last = (size_t)64 << 20;
    uint64_t start = now_ns();
    for (uint64_t i = 0; i < b->ops; i++) {
        size_t n = 64;
        volatile char *p = take(n, i);
        while (n < last) {
            p = blk_realloc((void *)p, n, n * 2);
            if (!p) die("realloc");
            n *= 2;
            p[n - 1] = (char)i;
        }
        blk_free_sized((void *)p, n);
    }
    return now_ns() - start;
}

/*
 * realloc-append: grows a block by 8 bytes at a time to 2.4 MB and writes them, then begins anew, which it may do
 * after every 1,000 times; one op is one realloc.
 */
#define APPEND_PIECE 1000
#define APPEND_FIRST 16
#define APPEND_LAST 2400000

static void append_setup(struct bench *b) {
    b->block = take(APPEND_FIRST, 0);
    b->size = APPEND_FIRST;
}

static uint64_t append_sample(struct bench *b) {
    const uint64_t pieces = b->ops / APPEND_PIECE, start = now_ns();
    size_t n = b->size;
    char *p = b->block;
    for (uint64_t piece = 0; piece < pieces; piece++) {
        if (n >= APPEND_LAST) {
            blk_free_sized(p, n);
            p = take(APPEND_FIRST, 0);
            n = APPEND_FIRST;
        }
        for (uint64_t i = 0; i < APPEND_PIECE; i++) {
            p = blk_realloc(p, n, n + sizeof i);
            if (!p) die("realloc");
            *(volatile uint64_t *)(p + n) = i;
            n += sizeof i;
        }
    }
    uint64_t elapsed = now_ns() - start;
    b->block = p;
    b->size = n;
    return elapsed;
}

static void append_teardown(struct bench *b) { blk_free_sized(b->block, b->size); }
