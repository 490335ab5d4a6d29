// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

/*
 * native-bench.c - a benchmark of whatever malloc() the process uses.
 *
 * The allocator under test is the one the dynamic linker resolves, so the same
 * binary measures glibc (nothing preloaded) and any LD_PRELOAD-able library:
 *
 *     gcc -O2 -fno-builtin -pthread native-bench.c -ldl -o native-bench
 *     ./native-bench                                  # every workload, text
 *     ./native-bench --json churn-1024-64 pingpong    # two workloads, JSON
 *     LD_PRELOAD=libjemalloc.so.2 taskset -c 0 ./native-bench @single
 *
 * Three compile-time variants exist:
 *   -DBENCH_SIZED  calls bench_sized_alloc/_free/_realloc/_trim instead of
 *                  malloc and friends, for allocators that want the size back on free
 *                  (link the library that exports them). Needs no block header:
 *                  every block carries its size in its first 8 bytes anyway.
 *   -DBENCH_NULL   replaces the allocator by a function that returns one static
 *                  buffer, to measure what the loops cost by themselves. Valid for
 *                  pingpong, churn, batch, larson and producer-consumer.
 *   -DBENCH_CHECK  counts what is done and prints that instead of times, in the format of the Java
 *                  program: `native-check --samples 2 --warmup 0 --ops N WORKLOAD`, one at a time.
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

#include "native-allocator.h"

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

/* As the kernel adds it up over all mappings: the figure of statm may lag behind. */
static double rss_mib(void) {
    char buf[2048];
    int fd = open("/proc/self/smaps_rollup", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, buf, sizeof buf - 1);
    if (n <= 0) die("/proc/self/smaps_rollup");
    close(fd);
    buf[n] = 0;
    const char *p = strstr(buf, "\nRss:");
    if (!p) die("no Rss in smaps_rollup");
    return (double)strtoull(p + 5, NULL, 10) / 1024;
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
    struct team *team;                  /* worker threads: larson, producer-consumer and mstress */
    struct mayfly *flies;               /* short-lived threads: thread-churn */
    void *block;                        /* realloc-append's block and its size */
    size_t size;
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

#include "native-single.h"
#include "native-team.h"
#include "native-memory.h"

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
    {"realloc-append", "ns/realloc", 300000, 0, 16, 16, 1, append_setup, append_sample, append_teardown, NULL},
    {"larson", "ns/pair", 250000, 1024, 16, 1024, 2, larson_setup, team_sample, larson_teardown, NULL},
    {"producer-consumer", "ns/pair", 64 * 4096, 0, 64, 64, 2, xmalloc_setup, team_sample, team_stop, NULL},
    {"mstress", "ns/pair", 50 * MSTRESS_OPS, 0, 16, 1024, 2, mstress_setup, team_sample, mstress_teardown, NULL},
    {"thread-churn", "ns/pair", 16 * 2 * THREAD_CHURN_BLOCKS, 0, 16, 1024, 2, thread_churn_setup, thread_churn_sample, NULL, NULL},
    {"cold-start-first", "ns", 0, 1, 48, 48, 1, NULL, NULL, NULL, cold_start},
    {"cold-start-100k", "ns", 0, 100000, 48, 48, 1, NULL, NULL, NULL, cold_start},
    {"burst-64k", "MiB", 0, 8192, 65536, 65536, 1, NULL, NULL, NULL, burst_blocks},
    {"burst-threads", "MiB", 0, 16132, 16, 1024, 32, NULL, NULL, NULL, burst_threads},
    {"fragment", "MiB", 0, 516222, 16, 1024, 1, NULL, NULL, NULL, fragment},
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
    int any = w->setup == larson_setup || w->setup == mstress_setup || w->setup == thread_churn_setup;
    if (any && o->threads > 0) w->threads = (uint32_t)o->threads;
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

#if defined(BENCH_CHECK)
/* In a line that the Java program reads. */
static void print_work(void) {
    printf("work %llu %llu %llu %llu %lld\n", (unsigned long long)work.allocated, (unsigned long long)work.bytes,
           (unsigned long long)work.freed, (unsigned long long)work.resized, (long long)work.sum);
}
#endif

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
#if defined(BENCH_CHECK)
        print_work();
        return 0;
#endif
        print_results(&results, &o, &printed);
    }
    if (o.json) puts(printed ? "\n]" : "[]");
    return printed ? 0 : 1;
}
