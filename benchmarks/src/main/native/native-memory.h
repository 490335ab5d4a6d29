// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

/* Workloads whose figures are of memory, and the cold starts. */

/* Resident memory, over the level before, at each stage. */
static void add_rss(struct results *out, const struct workload *w, const char *stage, const char *note, double base) {
    double v = rss_mib() - base;
    add_result(out, w->name, stage, "MiB", note, &v, 1);
}

/* The level before: of a process that has used its allocator, as the Java program has. */
static double warm_base(void) {
    for (uint64_t i = 0; i < 20000; i++) blk_free_sized(take(64, i), 64);
    work_forget();
    return rss_mib();
}

static void idle(void) {
#if !defined(BENCH_CHECK)
    sleep(3);
#endif
}

static void finish_memory(struct results *out, const struct workload *w, double base) {
    add_rss(out, w, "/freed", "", base);
    idle();
    add_rss(out, w, "/idle3s", "", base);
    const char *how = trim_allocator();
    add_rss(out, w, "/trim", how, base);
}

/* cold-start: what the clock shows when the first blocks are there; started by a program that reads it, too. */
static void cold_start(struct bench *b, struct results *out) {
    const struct workload *w = b->w;
    void **slot = map_pages(w->slots * sizeof(void *));
    for (uint32_t i = 0; i < w->slots; i++) slot[i] = take(w->lo, i);
    double clock = (double)now_ns(), rss = rss_mib();
    for (uint32_t i = 0; i < w->slots; i++)
        if (*(const uint64_t *)slot[i] != w->lo) die("a block lost its contents");
    add_result(out, w->name, "/clock", "ns", "", &clock, 1);
    add_result(out, w->name, "/rss", "MiB", "", &rss, 1);
}

/* fragment: fills memory with small blocks, frees 7 of 8 at random. */
static void fragment(struct bench *b, struct results *out) {
    const struct workload *w = b->w;
    void **slot = map_pages(w->slots * sizeof(void *));
    double base = warm_base();
    uint64_t rng = seed_for(b->seed, 0);
    for (uint32_t i = 0; i < w->slots; i++) slot[i] = take(pick_size(next_random(&rng), w->lo, w->hi - w->lo + 1), i);
    add_rss(out, w, "/peak", "", base);
    rng = seed_for(b->seed, 1);
    for (uint32_t i = 0; i < w->slots; i++)
        if (next_random(&rng) >> 61 != 0) blk_free(slot[i]);
    finish_memory(out, w, base);
}

/* burst-64k: many blocks with all OS pages touched. */
static void burst_blocks(struct bench *b, struct results *out) {
    const struct workload *w = b->w;
    void **slot = map_pages(w->slots * sizeof(void *));
    double base = warm_base();
    for (uint32_t i = 0; i < w->slots; i++) {
        char *p = take(w->lo, i);
        for (size_t at = 4096; at < w->lo; at += 4096) *(volatile char *)(p + at) = 1;
        slot[i] = p;
    }
    add_rss(out, w, "/peak", "", base);
    for (uint32_t i = 0; i < w->slots; i++) blk_free(slot[i]);
    finish_memory(out, w, base);
}

/* burst-threads: small blocks of many threads, which stay alive while idle, and are gone before the trim. */
struct burst_thread {
    pthread_t thread;
    pthread_barrier_t *gate;
    void **slot;
    uint32_t blocks, lo, span;
    uint64_t rng;
};

static void *burst_thread_main(void *arg) {
    struct burst_thread *me = arg;
    for (uint32_t i = 0; i < me->blocks; i++) me->slot[i] = take(pick_size(next_random(&me->rng), me->lo, me->span), i);
    pthread_barrier_wait(me->gate);             /* 1: all filled */
    pthread_barrier_wait(me->gate);             /* 2: measured */
    for (uint32_t i = 0; i < me->blocks; i++) blk_free(me->slot[i]);
    pthread_barrier_wait(me->gate);             /* 3: all freed */
    pthread_barrier_wait(me->gate);             /* 4: measured, exit */
    return NULL;
}

static void burst_threads(struct bench *b, struct results *out) {
    const struct workload *w = b->w;
    pthread_barrier_t gate;
    pthread_barrier_init(&gate, NULL, w->threads + 1);
    struct burst_thread *t = map_pages(w->threads * sizeof *t);
    for (unsigned i = 0; i < w->threads; i++)
        t[i] = (struct burst_thread){.gate = &gate, .slot = map_pages(w->slots * sizeof(void *)),
                                     .blocks = w->slots, .lo = w->lo, .span = w->hi - w->lo + 1, .rng = seed_for(b->seed, i)};
    double base = warm_base();
    for (unsigned i = 0; i < w->threads; i++)
        if (pthread_create(&t[i].thread, NULL, burst_thread_main, &t[i]) != 0) die("pthread_create");
    pthread_barrier_wait(&gate);
    add_rss(out, w, "/peak", "", base);
    pthread_barrier_wait(&gate);
    pthread_barrier_wait(&gate);
    add_rss(out, w, "/freed", "threads alive", base);
    idle();
    add_rss(out, w, "/idle3s", "threads alive", base);
    pthread_barrier_wait(&gate);
    for (unsigned i = 0; i < w->threads; i++) pthread_join(t[i].thread, NULL);
    const char *how = trim_allocator();
    add_rss(out, w, "/trim", how, base);
}
