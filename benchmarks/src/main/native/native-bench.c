// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

/*
 * native-bench.c - a single-file benchmark of whatever malloc() the process uses.
 *
 * The allocator under test is the one the dynamic linker resolves, so the same
 * binary measures glibc (nothing preloaded) and any LD_PRELOAD-able library:
 *
 *     gcc -O2 -fno-builtin -pthread native-bench.c -ldl -o native-bench
 *     ./native-bench                                  # every workload, text
 *     ./native-bench --json churn-1024-64 pingpong    # two workloads, JSON
 *     LD_PRELOAD=libjemalloc.so.2 taskset -c 0 ./native-bench @single
 *
 * Two compile-time variants exist:
 *   -DBENCH_SIZED  calls bench_sized_alloc/_free/_realloc/_trim instead of
 *                  malloc and friends, for allocators that want the size back on free
 *                  (link the library that exports them). Needs no block header:
 *                  every block carries its size in its first 8 bytes anyway.
 *   -DBENCH_NULL   replaces the allocator by a function that returns one static
 *                  buffer, to measure what the loops cost by themselves. Valid for
 *                  pingpong, churn, batch, larson and producer-consumer.
 *
 * Conventions: "ns/pair" is one malloc plus one free. Multi-threaded figures are
 * elapsed wall time divided by the operations of ONE thread. The bench's own
 * arrays come from mmap, never from the allocator under test. With more than one
 * workload selected each runs in a forked child, so that heap state does not carry
 * over. Every block gets 16 bytes written: { requested size, sequence number }.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAX_SAMPLES 1001
#define MAX_RESULTS 16
#define NAME_LEN 48

static void die(const char *what) {
    fprintf(stderr, "native-bench: %s: %s\n", what, errno ? strerror(errno) : "failed");
    exit(2);
}

/* ---------------------------------------------------------------- allocator */

#if defined(BENCH_SIZED)

extern void *bench_sized_alloc(size_t n);
extern void bench_sized_free(void *p, size_t n);
extern void *bench_sized_realloc(void *p, size_t old_n, size_t new_n);
extern void bench_sized_trim(void);
static inline void *blk_alloc(size_t n) { return bench_sized_alloc(n); }
static inline void *blk_calloc(size_t n) { void *p = bench_sized_alloc(n); return p ? memset(p, 0, n) : p; }
static inline void blk_free(void *p) { bench_sized_free(p, ((const uint64_t *)p)[0]); }
static inline void blk_free_sized(void *p, size_t n) { bench_sized_free(p, n); }
static inline void *blk_realloc(void *p, size_t o, size_t n) { return bench_sized_realloc(p, o, n); }

#elif defined(BENCH_NULL)

static char null_block[64 << 20];
static __attribute__((noinline, noclone)) void *null_alloc(size_t n) { __asm__ volatile("" ::"r"(n)); return null_block; }
static __attribute__((noinline, noclone)) void null_free(void *p) { __asm__ volatile("" ::"r"(p)); }
static inline void *blk_alloc(size_t n) { return null_alloc(n); }
static inline void *blk_calloc(size_t n) { return null_alloc(n); }
static inline void blk_free(void *p) { null_free(p); }
static inline void blk_free_sized(void *p, size_t n) { (void)n; null_free(p); }
static inline void *blk_realloc(void *p, size_t o, size_t n) { (void)o; (void)n; return p; }

#else

static inline void *blk_alloc(size_t n) { return malloc(n); }
static inline void *blk_calloc(size_t n) { return calloc(1, n); }
static inline void blk_free(void *p) { free(p); }
static inline void blk_free_sized(void *p, size_t n) { (void)n; free(p); }
static inline void *blk_realloc(void *p, size_t o, size_t n) { (void)o; return realloc(p, n); }

#endif

/* A block's first 16 bytes: its size (read back on free in the sized build) and a tag. */
static inline void stamp(void *p, size_t n, uint64_t tag) {
    volatile uint64_t *w = p;
    w[0] = n;
    w[1] = tag;
}

static inline void *take(size_t n, uint64_t tag) {
    void *p = blk_alloc(n);
    if (__builtin_expect(p == NULL, 0)) die("malloc");
    stamp(p, n, tag);
    return p;
}

/* Asks the allocator to hand memory back, by the call that it offers. Returns that call's name. */
static const char *trim_allocator(void) {
#if defined(BENCH_SIZED)
    bench_sized_trim();
    return "bench_sized_trim";
#else
    void (*collect)(int) = (void (*)(int))dlsym(RTLD_DEFAULT, "mi_collect");
    if (collect) { collect(1); return "mi_collect(true)"; }

    int (*ctl)(const char *, void *, size_t *, void *, size_t) =
        (int (*)(const char *, void *, size_t *, void *, size_t))dlsym(RTLD_DEFAULT, "mallctl");
    if (ctl) {
        ctl("thread.tcache.flush", NULL, NULL, NULL, 0);
        ctl("arena.4096.purge", NULL, NULL, NULL, 0);       /* 4096: all arenas */
        return "mallctl(arena.all.purge)";
    }

    void (*release)(void) = (void (*)(void))dlsym(RTLD_DEFAULT, "MallocExtension_ReleaseFreeMemory");
    if (release) { release(); return "MallocExtension_ReleaseFreeMemory"; }

    /* glibc's malloc_trim is always there: use it only if it is of malloc's own library. */
    void *trim = dlsym(RTLD_DEFAULT, "malloc_trim"), *mal = dlsym(RTLD_DEFAULT, "malloc");
    Dl_info a, b;
    if (trim && mal && dladdr(trim, &a) && dladdr(mal, &b) && a.dli_fbase == b.dli_fbase) {
        ((int (*)(size_t))trim)(0);
        return "malloc_trim(0)";
    }
    return "none";
#endif
}

/* ---------------------------------------------------------------- utilities */

static uint64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static inline uint64_t next_random(uint64_t *state) {       /* xorshift64 */
    uint64_t x = *state;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    return *state = x;
}

/* [0, bound) from the upper, and lo..lo+span-1 from the lower half of a random word. */
static inline uint32_t pick_slot(uint64_t r, uint32_t bound) { return (uint32_t)(((r >> 32) * bound) >> 32); }
static inline size_t pick_size(uint64_t r, uint32_t lo, uint32_t span) { return lo + (((uint64_t)(uint32_t)r * span) >> 32); }

static uint64_t seed_for(uint64_t seed, unsigned who) {
    uint64_t s = seed + 0x9E3779B97F4A7C15u * (who + 1);
    return s ? s : 1;
}

static void *map_pages(size_t bytes) {
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (p == MAP_FAILED) die("mmap");
    return p;
}

static double rss_mib(void) {
    char buf[128];
    int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, buf, sizeof buf - 1);
    if (n <= 0) die("/proc/self/statm");
    close(fd);
    buf[n] = 0;
    char *p = strchr(buf, ' ');
    unsigned long pages = 0;
    for (p++; *p >= '0' && *p <= '9'; p++) pages = pages * 10 + (unsigned long)(*p - '0');
    return (double)pages * (double)sysconf(_SC_PAGESIZE) / (1 << 20);
}

/* Binds the calling thread to the i-th CPU of those that the process may use. */
static void pin_to(unsigned i) {
    static cpu_set_t allowed;
    static int count;
    if (count == 0) {
        if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
        count = CPU_COUNT(&allowed);
    }
    int want = (int)(i % (unsigned)count);
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (!CPU_ISSET(cpu, &allowed) || want-- != 0) continue;
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(cpu, &one);
        pthread_setaffinity_np(pthread_self(), sizeof one, &one);
        return;
    }
}

static void wait_a_little(unsigned *spins) {
    if (++*spins % 256 == 0) sched_yield();
    else __builtin_ia32_pause();
}

/* ------------------------------------------------------------------ results */

struct result {
    char name[NAME_LEN], unit[16], note[40];
    double median, min;
    int samples;
};

struct results {
    int count;
    struct result row[MAX_RESULTS];
};

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void add_result(struct results *out, const char *name, const char *suffix, const char *unit,
                       const char *note, double *values, int n) {
    if (out->count == MAX_RESULTS) die("too many results");
    struct result *r = &out->row[out->count++];
    snprintf(r->name, sizeof r->name, "%s%s", name, suffix);
    snprintf(r->unit, sizeof r->unit, "%s", unit);
    snprintf(r->note, sizeof r->note, "%s", note);
    /* insertion sort: qsort may call malloc */
    for (int i = 1; i < n; i++)
        for (int j = i; j > 0 && by_value(&values[j - 1], &values[j]) > 0; j--) {
            double t = values[j];
            values[j] = values[j - 1];
            values[j - 1] = t;
        }
    r->min = values[0];
    r->median = n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
    r->samples = n;
}

/* ---------------------------------------------------------------- workloads */

struct workload;

struct bench {                          /* one running workload */
    const struct workload *w;
    uint64_t ops;                       /* operations per sample (per thread) */
    uint64_t seed, rng;
    void **slot;                        /* live blocks: churn and batch */
    struct team *team;                  /* worker threads: larson and producer-consumer */
};

struct workload {
    const char *name, *unit;
    uint64_t ops;                       /* default operations per sample */
    uint32_t slots, lo, hi, threads;    /* working set, block sizes lo..hi, threads */
    void (*setup)(struct bench *);
    uint64_t (*sample)(struct bench *); /* elapsed ns for b->ops operations */
    void (*teardown)(struct bench *);
    void (*special)(struct bench *, struct results *);  /* instead of the three above */
};

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

/* realloc-append: grow by one 8-byte long at a time to `ops` longs; one op is one realloc. */
static uint64_t realloc_append_sample(struct bench *b) {
    uint64_t start = now_ns();
    size_t n = 8;
    volatile uint64_t *p = blk_alloc(n);
    if (!p) die("malloc");
    p[0] = 0;
    for (uint64_t i = 1; i < b->ops; i++) {
        p = blk_realloc((void *)p, n, n + 8);
        if (!p) die("realloc");
        n += 8;
        p[i] = i;
    }
    uint64_t elapsed = now_ns() - start;
    if (p[b->ops / 2] != b->ops / 2 && b->ops > 2) {
#ifndef BENCH_NULL
        errno = 0;
        die("realloc lost data");
#endif
    }
    blk_free_sized((void *)p, n);
    return elapsed;
}

/* A team: threads that wait for work, so that thread start-up is not timed. */
struct worker {
    pthread_t thread;
    struct team *team;
    unsigned index;
    uint64_t rng;
    uint64_t began, ended;              /* of the latest sample */
};

struct team {
    pthread_barrier_t gate;             /* opens twice per sample: start and end */
    unsigned threads;
    uint64_t ops;
    int stop;
    uint32_t slots, lo, span;
    void (*body)(struct worker *);
    _Atomic(void *) *slot;              /* larson: `slots` per thread */
    struct batch *ring;                 /* producer-consumer */
    _Alignas(128) _Atomic uint64_t produced;
    _Alignas(128) _Atomic uint64_t consumed;
    _Alignas(128) struct worker worker[];
};

static void *worker_main(void *arg) {
    struct worker *me = arg;
    pin_to(me->index);
    for (;;) {
        pthread_barrier_wait(&me->team->gate);
        if (me->team->stop) return NULL;
        me->began = now_ns();
        me->team->body(me);
        me->ended = now_ns();
        pthread_barrier_wait(&me->team->gate);
    }
}

static struct team *team_start(struct bench *b, void (*body)(struct worker *)) {
    const struct workload *w = b->w;
    struct team *t = map_pages(sizeof *t + w->threads * sizeof t->worker[0]);
    t->threads = w->threads;
    t->slots = w->slots;
    t->lo = w->lo;
    t->span = w->hi - w->lo + 1;
    t->body = body;
    pthread_barrier_init(&t->gate, NULL, w->threads + 1);
    for (unsigned i = 0; i < w->threads; i++) {
        t->worker[i].team = t;
        t->worker[i].index = i;
        t->worker[i].rng = seed_for(b->seed, i);
        if (pthread_create(&t->worker[i].thread, NULL, worker_main, &t->worker[i]) != 0) die("pthread_create");
    }
    return b->team = t;
}

/* From the first worker's start to the last one's end, by the workers' own clocks. */
static uint64_t team_sample(struct bench *b) {
    struct team *t = b->team;
    t->ops = b->ops;
    pthread_barrier_wait(&t->gate);
    pthread_barrier_wait(&t->gate);
    uint64_t began = t->worker[0].began, ended = t->worker[0].ended;
    for (unsigned i = 1; i < t->threads; i++) {
        if (t->worker[i].began < began) began = t->worker[i].began;
        if (t->worker[i].ended > ended) ended = t->worker[i].ended;
    }
    return ended - began;
}

static void team_stop(struct bench *b) {
    struct team *t = b->team;
    t->stop = 1;
    pthread_barrier_wait(&t->gate);
    for (unsigned i = 0; i < t->threads; i++) pthread_join(t->worker[i].thread, NULL);
    pthread_barrier_destroy(&t->gate);
}

/*
 * larson: every thread replaces a random block, by turns of a coin in its own slot
 * array or in its neighbour's. Of the blocks that come out half were put in by the
 * other of the two threads that share an array, so half of the frees are remote.
 */
static void larson_body(struct worker *me) {
    struct team *t = me->team;
    _Atomic(void *) *own = t->slot + (size_t)me->index * t->slots;
    _Atomic(void *) *neighbour = t->slot + (size_t)((me->index + 1) % t->threads) * t->slots;
    const uint32_t slots = t->slots, lo = t->lo, span = t->span;
    uint64_t rng = me->rng;
    for (uint64_t i = 0; i < t->ops; i++) {
        uint64_t r = next_random(&rng);
        _Atomic(void *) *array = (r & 1) ? own : neighbour;
        void *fresh = take(pick_size(r, lo, span), i);
        blk_free(atomic_exchange_explicit(&array[pick_slot(r, slots)], fresh, memory_order_acq_rel));
    }
    me->rng = rng;
}

static void larson_setup(struct bench *b) {
    size_t n = (size_t)b->w->threads * b->w->slots;
    _Atomic(void *) *slot = map_pages(n * sizeof *slot);
    for (size_t i = 0; i < n; i++)
        atomic_store(&slot[i], take(pick_size(next_random(&b->rng), b->w->lo, b->w->hi - b->w->lo + 1), i));
    team_start(b, larson_body)->slot = slot;
}

static void larson_teardown(struct bench *b) {
    team_stop(b);
    for (size_t i = 0; i < (size_t)b->w->threads * b->w->slots; i++) blk_free(b->team->slot[i]);
}

/* producer-consumer: worker 0 only allocates, worker 1 only frees; batches go through a ring. */
#define BATCH 64
#define RING 64

struct batch { void *block[BATCH]; };

static void xmalloc_body(struct worker *me) {
    struct team *t = me->team;
    const uint64_t batches = t->ops / BATCH;
    const size_t n = t->lo;
    unsigned spins = 0;
    if (me->index == 0) {
        for (uint64_t i = 0; i < batches; i++) {
            uint64_t at = atomic_load_explicit(&t->produced, memory_order_relaxed);
            while (at - atomic_load_explicit(&t->consumed, memory_order_acquire) == RING) wait_a_little(&spins);
            struct batch *out = &t->ring[at % RING];
            for (int k = 0; k < BATCH; k++) out->block[k] = take(n, i);
            atomic_store_explicit(&t->produced, at + 1, memory_order_release);
        }
    } else {
        for (uint64_t i = 0; i < batches; i++) {
            uint64_t at = atomic_load_explicit(&t->consumed, memory_order_relaxed);
            while (at == atomic_load_explicit(&t->produced, memory_order_acquire)) wait_a_little(&spins);
            struct batch *in = &t->ring[at % RING];
            for (int k = 0; k < BATCH; k++) blk_free_sized(in->block[k], n);
            atomic_store_explicit(&t->consumed, at + 1, memory_order_release);
        }
    }
}

static void xmalloc_setup(struct bench *b) {
    struct batch *ring = map_pages(RING * sizeof *ring);
    team_start(b, xmalloc_body)->ring = ring;
}

/* burst-rss: resident memory, over the level before the burst, at each stage after a burst. */
static void add_rss(struct results *out, const struct workload *w, const char *stage, const char *note, double base) {
    double v = rss_mib() - base;
    add_result(out, w->name, stage, "MiB", note, &v, 1);
}

static void small_pairs(uint64_t n) {           /* traffic for allocators that decay by events */
    for (uint64_t i = 0; i < n; i++) blk_free_sized(take(64, i), 64);
}

static void burst_blocks(struct bench *b, struct results *out) {
    const struct workload *w = b->w;
    void **slot = map_pages(w->slots * sizeof(void *));
    double base = rss_mib();
    uint64_t start = now_ns();
    for (uint32_t i = 0; i < w->slots; i++) {
        char *p = take(w->lo, i);
        for (size_t at = 4096; at < w->lo; at += 4096) *(volatile char *)(p + at) = 1;
        slot[i] = p;
    }
    double filled = (double)(now_ns() - start) / w->slots;
    add_rss(out, w, "/peak", "", base);
    start = now_ns();
    for (uint32_t i = 0; i < w->slots; i++) blk_free(slot[i]);
    double freed = (double)(now_ns() - start) / w->slots;
    add_rss(out, w, "/freed", "", base);
    sleep(3);
    add_rss(out, w, "/idle3s", "", base);
    small_pairs(10000);
    add_rss(out, w, "/idle+10k", "", base);
    const char *how = trim_allocator();
    add_rss(out, w, "/trim", how, base);
    add_result(out, w->name, "/fill", "ns/block", "", &filled, 1);
    add_result(out, w->name, "/free", "ns/block", "", &freed, 1);
}

struct burst_thread {
    pthread_t thread;
    pthread_barrier_t *gate;
    void **slot;
    uint32_t blocks, lo, span;
    uint64_t rng;
};

#define BURST_BYTES ((size_t)8 << 20)

static void *burst_thread_main(void *arg) {
    struct burst_thread *me = arg;
    size_t total = 0;
    me->blocks = 0;
    while (total < BURST_BYTES) {
        size_t n = pick_size(next_random(&me->rng), me->lo, me->span);
        me->slot[me->blocks++] = take(n, total);
        total += n;
    }
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
    const size_t most = BURST_BYTES / w->lo + 1;
    for (unsigned i = 0; i < w->threads; i++)
        t[i] = (struct burst_thread){.gate = &gate, .slot = map_pages(most * sizeof(void *)), .lo = w->lo,
                                     .span = w->hi - w->lo + 1, .rng = seed_for(b->seed, i)};
    double base = rss_mib();
    for (unsigned i = 0; i < w->threads; i++)
        if (pthread_create(&t[i].thread, NULL, burst_thread_main, &t[i]) != 0) die("pthread_create");
    pthread_barrier_wait(&gate);
    add_rss(out, w, "/peak", "", base);
    pthread_barrier_wait(&gate);
    pthread_barrier_wait(&gate);
    add_rss(out, w, "/freed", "threads alive", base);
    sleep(3);
    add_rss(out, w, "/idle3s", "threads alive", base);
    pthread_barrier_wait(&gate);
    for (unsigned i = 0; i < w->threads; i++) pthread_join(t[i].thread, NULL);
    add_rss(out, w, "/exited", "threads joined", base);
    small_pairs(10000);
    add_rss(out, w, "/exited+10k", "", base);
    const char *how = trim_allocator();
    add_rss(out, w, "/trim", how, base);
}

#define CHURN(W, S)  {"churn-" #W "-" #S, "ns/pair", 250000, W, S, S, 1, churn_setup, churn_sample, churn_teardown, NULL}
#define CHURN_MIXED(W) {"churn-" #W "-mixed", "ns/pair", 250000, W, 16, 1024, 1, churn_setup, churn_sample, churn_teardown, NULL}

static const struct workload workloads[] = {
    {"pingpong", "ns/pair", 1000000, 0, 48, 48, 1, NULL, pingpong_sample, NULL, NULL},
    CHURN(1024, 16), CHURN(1024, 64), CHURN(1024, 256), CHURN(1024, 1024), CHURN_MIXED(1024),
    CHURN(65536, 16), CHURN(65536, 64), CHURN(65536, 256), CHURN(65536, 1024), CHURN_MIXED(65536),
    {"batch-lifo", "ns/pair", 256 * 1024, 1024, 48, 48, 1, batch_setup, batch_lifo_sample, batch_teardown, NULL},
    {"batch-fifo", "ns/pair", 256 * 1024, 1024, 48, 48, 1, batch_setup, batch_fifo_sample, batch_teardown, NULL},
    {"large-1m", "ns/pair", 4000, 0, 1 << 20, 1 << 20, 1, NULL, pingpong_sample, NULL, NULL},
    {"large-4m", "ns/pair", 4000, 0, 4 << 20, 4 << 20, 1, NULL, pingpong_sample, NULL, NULL},
    {"zeroed-1k", "ns/pair", 250000, 0, 1 << 10, 1 << 10, 1, NULL, zeroed_sample, NULL, NULL},
    {"zeroed-1m", "ns/pair", 2000, 0, 1 << 20, 1 << 20, 1, NULL, zeroed_sample, NULL, NULL},
    {"request", "ns/request", 1000, 200, 16, 1024, 1, batch_setup, request_sample, batch_teardown, NULL},
    {"realloc-double", "ns/chain", 1, 0, 64, 64, 1, NULL, realloc_double_sample, NULL, NULL},
    {"realloc-append", "ns/realloc", 300000, 0, 8, 8, 1, NULL, realloc_append_sample, NULL, NULL},
    {"larson", "ns/pair", 250000, 1024, 16, 1024, 2, larson_setup, team_sample, larson_teardown, NULL},
    {"producer-consumer", "ns/pair", 64 * 4096, 0, 64, 64, 2, xmalloc_setup, team_sample, team_stop, NULL},
    {"burst-64k", "MiB", 0, 8192, 65536, 65536, 1, NULL, NULL, NULL, burst_blocks},
    {"burst-threads", "MiB", 0, 0, 16, 1024, 32, NULL, NULL, NULL, burst_threads},
};
enum { WORKLOADS = sizeof workloads / sizeof workloads[0] };

/* -------------------------------------------------------------------- main */

struct options {
    uint64_t ops, seed;
    int samples, warmup, json, no_fork, threads;
    const char *label;
};

static void run_workload(const struct workload *chosen, const struct options *o, struct results *out) {
    struct workload changed = *chosen, *w = &changed;
    if (w->setup == larson_setup && o->threads > 0) w->threads = (uint32_t)o->threads;
    struct bench b = {.w = w, .ops = o->ops ? o->ops : w->ops, .seed = o->seed, .rng = seed_for(o->seed, 1000)};
    static double value[MAX_SAMPLES];
    if (w->special) {
        w->special(&b, out);
        return;
    }
    if (w->setup) w->setup(&b);
    for (int i = -o->warmup; i < o->samples; i++) {
        uint64_t ns = w->sample(&b);
        if (i >= 0) value[i] = (double)ns / (double)b.ops;
    }
    if (w->teardown) w->teardown(&b);
    add_result(out, w->name, "", w->unit, "", value, o->samples);
}

/* Runs the workload in a child; its results come back through a pipe. */
static void run_forked(const struct workload *w, const struct options *o, struct results *out) {
    int fd[2], status;
    if (pipe(fd) != 0) die("pipe");
    pid_t pid = fork();
    if (pid < 0) die("fork");
    if (pid == 0) {
        close(fd[0]);
        run_workload(w, o, out);
        ssize_t n = write(fd[1], out, sizeof *out);
        _exit(n == (ssize_t)sizeof *out ? 0 : 3);
    }
    close(fd[1]);
    size_t got = 0;
    for (ssize_t n; got < sizeof *out && (n = read(fd[0], (char *)out + got, sizeof *out - got)) > 0;) got += (size_t)n;
    close(fd[0]);
    waitpid(pid, &status, 0);
    if (got != sizeof *out || status != 0) {
        fprintf(stderr, "native-bench: %s: child ended with status %d\n", w->name, status);
        out->count = 0;
    }
}

static void print_results(const struct results *r, const struct options *o, int *printed) {
    for (int i = 0; i < r->count; i++) {
        const struct result *x = &r->row[i];
        if (o->json)
            printf("%s\n  {\"allocator\":\"%s\",\"name\":\"%s\",\"median\":%.3f,\"min\":%.3f,\"unit\":\"%s\",\"samples\":%d,\"note\":\"%s\"}",
                   *printed ? "," : "[", o->label, x->name, x->median, x->min, x->unit, x->samples, x->note);
        else
            printf("%-22s %14.2f %14.2f %-11s %s\n", x->name, x->median, x->min, x->unit, x->note);
        ++*printed;
    }
    fflush(stdout);
}

/* A workload is selected by name, by a prefix that ends in '*', or by a group. */
static int selected(const struct workload *w, const char *arg) {
    size_t n = strlen(arg);
    if (strcmp(arg, "@all") == 0) return 1;
    if (strcmp(arg, "@single") == 0) return !w->special && w->threads == 1 && w->setup != larson_setup;
    if (strcmp(arg, "@multi") == 0) return !w->special && (w->threads > 1 || w->setup == larson_setup);
    if (strcmp(arg, "@rss") == 0) return w->special != NULL;
    if (n && arg[n - 1] == '*') return strncmp(w->name, arg, n - 1) == 0;
    return strcmp(w->name, arg) == 0;
}

static void usage(void) {
    fputs("usage: native-bench [--json] [--samples N] [--warmup N] [--ops N] [--threads N] [--seed N] [--label NAME]\n"
          "                    [--no-fork] [--list] [WORKLOAD | PREFIX* | @all | @single | @multi | @rss]...\n", stderr);
    exit(2);
}

int main(int argc, char **argv) {
    static char outbuf[8192];
    static struct results results;
    struct options o = {.seed = 42, .samples = 21, .warmup = 3, .label = "malloc"};
    int want[WORKLOADS] = {0}, wanted = 0, printed = 0, list = 0;
    setvbuf(stdout, outbuf, _IOFBF, sizeof outbuf);

    for (int i = 1; i < argc; i++) {
        const char *a = argv[i];
        if (strcmp(a, "--json") == 0) o.json = 1;
        else if (strcmp(a, "--no-fork") == 0) o.no_fork = 1;
        else if (strcmp(a, "--list") == 0) list = 1;
        else if (strncmp(a, "--", 2) == 0) {
            if (i + 1 == argc) usage();
            const char *v = argv[++i];
            if (strcmp(a, "--samples") == 0) o.samples = atoi(v);
            else if (strcmp(a, "--warmup") == 0) o.warmup = atoi(v);
            else if (strcmp(a, "--threads") == 0) o.threads = atoi(v);
            else if (strcmp(a, "--ops") == 0) o.ops = strtoull(v, NULL, 0);
            else if (strcmp(a, "--seed") == 0) o.seed = strtoull(v, NULL, 0);
            else if (strcmp(a, "--label") == 0) o.label = v;
            else usage();
        } else {
            int found = 0;
            for (int k = 0; k < WORKLOADS; k++)
                if (selected(&workloads[k], a)) found = want[k] = 1;
            if (!found) usage();
            wanted = 1;
        }
    }
    if (o.samples < 1 || o.samples > MAX_SAMPLES || o.warmup < 0) usage();

    int count = 0;
    for (int k = 0; k < WORKLOADS; k++) count += want[k] |= !wanted;
    for (int k = 0; list && k < WORKLOADS; k++)
        if (want[k]) puts(workloads[k].name);
    if (list) return 0;
    for (int k = 0; k < WORKLOADS; k++) {
        if (!want[k]) continue;
        memset(&results, 0, sizeof results);
        if (count > 1 && !o.no_fork) run_forked(&workloads[k], &o, &results);
        else run_workload(&workloads[k], &o, &results);
        print_results(&results, &o, &printed);
    }
    if (o.json) puts(printed ? "\n]" : "[]");
    return printed ? 0 : 1;
}
