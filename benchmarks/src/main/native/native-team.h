// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0

/* Workloads of several threads. */

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
    _Atomic(void *) *slot;              /* larson: `slots` per thread; mstress: shared ones, then each thread's */
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
/*
 * mstress: every thread frees a random half of its blocks, fills up again, and exchanges some blocks with the
 * other threads through slots that all share.
 */
#define MSTRESS_OWN 2048
#define MSTRESS_SHARED 1024
#define MSTRESS_EXCHANGES 256
#define MSTRESS_OPS (MSTRESS_OWN / 2 + MSTRESS_EXCHANGES)

static void mstress_body(struct worker *me) {
    struct team *t = me->team;
    _Atomic(void *) *own = t->slot + MSTRESS_SHARED + (size_t)me->index * MSTRESS_OWN;
    const uint32_t lo = t->lo, span = t->span;
    uint64_t rng = me->rng;
    for (uint64_t piece = 0; piece < t->ops / MSTRESS_OPS; piece++) {
        const uint64_t begin = rng;
        for (uint32_t i = 0; i < MSTRESS_OWN; i += 2)
            blk_free(atomic_load_explicit(&own[i + (next_random(&rng) >> 63)], memory_order_relaxed));
        rng = begin;                        /* the same slots again */
        for (uint32_t i = 0; i < MSTRESS_OWN; i += 2) {
            uint64_t r = next_random(&rng);
            atomic_store_explicit(&own[i + (r >> 63)], take(pick_size(r, lo, span), i), memory_order_relaxed);
        }
        for (uint32_t i = 0; i < MSTRESS_EXCHANGES; i++) {
            uint64_t r = next_random(&rng);
            void *fresh = take(pick_size(r, lo, span), i);
            blk_free(atomic_exchange_explicit(&t->slot[pick_slot(r, MSTRESS_SHARED)], fresh, memory_order_acq_rel));
        }
    }
    me->rng = rng;
}

static size_t mstress_slots(const struct workload *w) { return MSTRESS_SHARED + (size_t)w->threads * MSTRESS_OWN; }

static void mstress_setup(struct bench *b) {
    size_t n = mstress_slots(b->w);
    _Atomic(void *) *slot = map_pages(n * sizeof *slot);
    for (size_t i = 0; i < n; i++)
        atomic_store(&slot[i], take(pick_size(next_random(&b->rng), b->w->lo, b->w->hi - b->w->lo + 1), i));
    team_start(b, mstress_body)->slot = slot;
}

static void mstress_teardown(struct bench *b) {
    team_stop(b);
    for (size_t i = 0; i < mstress_slots(b->w); i++) blk_free(b->team->slot[i]);
}

/*
 * thread-churn: short-lived threads, a few at a time: each allocates some blocks, frees them and ends. An op is
 * a pair of any thread, and the time includes the threads' starts. They are not pinned, as they end too soon.
 */
#define THREAD_CHURN_BLOCKS 256

struct mayfly {
    pthread_t thread;
    uint32_t lo, span;
    uint64_t rng;
    void *slot[THREAD_CHURN_BLOCKS];
};

static void *mayfly_main(void *arg) {
    struct mayfly *me = arg;
    for (uint32_t i = 0; i < THREAD_CHURN_BLOCKS; i++)
        me->slot[i] = take(pick_size(next_random(&me->rng), me->lo, me->span), i);
    for (uint32_t i = 0; i < THREAD_CHURN_BLOCKS; i++) blk_free(me->slot[i]);
    return NULL;
}

static uint64_t thread_churn_wave(const struct workload *w) { return (uint64_t)w->threads * THREAD_CHURN_BLOCKS; }

static void thread_churn_setup(struct bench *b) {
    const struct workload *w = b->w;
    struct mayfly *flies = map_pages(w->threads * sizeof *flies);
    for (unsigned i = 0; i < w->threads; i++) {
        flies[i].lo = w->lo;
        flies[i].span = w->hi - w->lo + 1;
        flies[i].rng = seed_for(b->seed, i);
    }
    b->flies = flies;
    uint64_t waves = b->ops / thread_churn_wave(w);
    b->ops = (waves ? waves : 1) * thread_churn_wave(w);
}

static uint64_t thread_churn_sample(struct bench *b) {
    const struct workload *w = b->w;
    const uint64_t waves = b->ops / thread_churn_wave(w), start = now_ns();
    for (uint64_t wave = 0; wave < waves; wave++) {
        for (unsigned i = 0; i < w->threads; i++)
            if (pthread_create(&b->flies[i].thread, NULL, mayfly_main, &b->flies[i]) != 0) die("pthread_create");
        for (unsigned i = 0; i < w->threads; i++) pthread_join(b->flies[i].thread, NULL);
    }
    return now_ns() - start;
}
