// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

/* The allocator under test, behind names of the benchmark's own. */

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

#elif defined(BENCH_CHECK)

static void die_of(const char *what) {
    errno = 0;
    die(what);
}

/*
 * Counts what is done, as the Java program does: blocks allocated, bytes asked for, blocks freed and resized,
 * and a sum over the sizes that does not depend on their order. A block's size is taken from the block itself
 * when it is freed, and struck out there: a block that two users were given, or that lost its contents, is
 * found out by that or by the sum.
 */
static struct { _Atomic uint64_t allocated, bytes, freed, resized, sum; } work;

static void work_add(_Atomic uint64_t *counter, uint64_t n) { atomic_fetch_add_explicit(counter, n, memory_order_relaxed); }

static uint64_t work_mixed(uint64_t size, uint64_t kind) {
    uint64_t x = (size * 4 + kind) * 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 32)) * 0xD6E8FEB86659FD93u;
    return x ^ (x >> 32);
}

static void *work_allocated(void *p, size_t n) {
    work_add(&work.allocated, 1);
    work_add(&work.bytes, n);
    work_add(&work.sum, work_mixed(n, 1));
    return p;
}

static inline void *blk_alloc(size_t n) { return work_allocated(malloc(n), n); }

static inline void *blk_calloc(size_t n) {
    const char *p = calloc(1, n);
    for (size_t i = 0; p && i < n; i++)
        if (p[i] != 0) die_of("a zeroed block is not zero");
    return work_allocated((void *)p, n);
}

static inline void blk_free(void *p) {
    volatile uint64_t *w = p;
    const uint64_t n = w[0];
    if (n == 0) die_of("a block was freed already, or is somebody else's, too");
    w[0] = 0;
    work_add(&work.freed, 1);
    work_add(&work.sum, work_mixed(n, 2));
    free(p);
}

static inline void blk_free_sized(void *p, size_t n) { (void)n; blk_free(p); }

static inline void *blk_realloc(void *p, size_t o, size_t n) {
    uint64_t last, first = *(volatile uint64_t *)p;
    memcpy(&last, (char *)p + o - sizeof last, sizeof last);
    char *moved = realloc(p, n);
    if (!moved || *(volatile uint64_t *)moved != first || memcmp(moved + o - sizeof last, &last, sizeof last) != 0)
        die_of("a block lost its contents when it was resized");
    work_add(&work.resized, 1);
    work_add(&work.bytes, n - o);
    work_add(&work.sum, work_mixed(n, 3));
    return moved;
}

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

/* Forgets what was counted so far. */
static void work_forget(void) {
#if defined(BENCH_CHECK)
    work.allocated = work.bytes = work.freed = work.resized = work.sum = 0;
#endif
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
