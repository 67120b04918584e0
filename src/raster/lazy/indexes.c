#include "indexes.h"

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_vsi.h>
#include <string.h>

/* Sources within sources, as in PREDT:PREDT:...: deeper nesting is taken for a cycle. */
#define MAX_DEPTH 16

/* Unused indexes to keep: the layers of a project, opened and closed in turn. */
#define MAX_IDLE 16

typedef enum state { BUILDING, BUILT, FAILED } state;

struct predt__shared_index {
    predt__shared_index *next;
    char *key; /* NULL: not shared, and not in the list */
    int users;
    state state;
    const predt__question *builder; /* while it is being built */
    predt__shared_index *awaited;   /* by a thread that reads the builder's source; NULL: none */
    predt__solver solver;
    int64_t bytes;
    uint64_t last_use;
    char failure[4096];
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    predt__shared_index *first;
    uint64_t uses;
} indexes = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL, 0};

/* ---- One index ---- */

static void destroy(predt__shared_index *shared) {
    predt__solver_close(&shared->solver);
    VSIFree(shared->key);
    VSIFree(shared);
}

/* About: 1/8 byte a pixel and the carry rows, plus the labels. */
static int64_t bytes_of(const predt__question *question, const predt__solver *solver) {
    return question->source.width * question->source.height / 7 +
           (int64_t)predt__labels_needed(question) * predt_index_targets(solver->index);
}

/* Sweeps the source. No lock is held: the source may have indexes of its own to wait for. */
static bool build(const predt__question *question, predt__work *work, predt__solver *solver) {
    predt__watch_start(&work->watch, work->watch.progress, work->watch.user);
    bool good = predt__build(question, work, solver);
    if (good) predt__warn_of_no_target(question, predt_index_targets(solver->index));
    else predt__solver_close(solver);
    return good;
}

static void note_failure(predt__shared_index *shared, predt__complaints *complaints) {
    pthread_mutex_lock(&complaints->lock);
    snprintf(shared->failure, sizeof shared->failure, "%s%s", complaints->context,
             complaints->failure);
    pthread_mutex_unlock(&complaints->lock);
}

static predt__shared_index *make(const char *key) {
    predt__shared_index *shared = VSICalloc(1, sizeof *shared);
    if (shared && key) shared->key = VSIStrdup(key);
    if (shared && (shared->key || !key)) return shared;
    VSIFree(shared);
    CPLError(CE_Failure, CPLE_OutOfMemory, "out of memory");
    return NULL;
}

/* ---- The list; the lock is held ---- */

static void unlink_index(predt__shared_index *shared) {
    predt__shared_index **link = &indexes.first;
    while (*link && *link != shared) link = &(*link)->next;
    if (*link) *link = shared->next;
    shared->next = NULL;
}

static predt__shared_index *find(const char *key) {
    predt__shared_index *shared = indexes.first;
    while (shared && strcmp(shared->key, key) != 0) shared = shared->next;
    return shared;
}

/* Takes what is idle beyond the limits out of the list; returns the chain of them. */
static predt__shared_index *take_surplus(int max, int64_t max_bytes) {
    predt__shared_index *surplus = NULL;
    for (;;) {
        predt__shared_index *oldest = NULL;
        int64_t bytes = 0;
        int count = 0;
        for (predt__shared_index *shared = indexes.first; shared; shared = shared->next) {
            if (shared->users > 0) continue;
            count++;
            bytes += shared->bytes;
            if (!oldest || shared->last_use < oldest->last_use) oldest = shared;
        }
        if (count <= max && bytes <= max_bytes) return surplus;
        unlink_index(oldest);
        oldest->next = surplus;
        surplus = oldest;
    }
}

static void destroy_all(predt__shared_index *chain) {
    for (predt__shared_index *next; chain; chain = next) {
        next = chain->next;
        destroy(chain);
    }
}

/* ---- Waiting ---- */

/* True if the index cannot be built before this thread goes on: its builder, or one that its
 * builder waits for in turn, waits for the source that this thread is reading. */
static bool waits_for_us(const predt__shared_index *shared) {
    for (int depth = 0; shared && shared->state != BUILT && depth < 100;
         depth++, shared = shared->awaited)
        for (const predt__reading *reading = predt__now_reading; reading; reading = reading->outer)
            if (shared->builder == reading->question) return true;
    return false;
}

static bool too_deep(void) {
    int depth = 0;
    for (const predt__reading *reading = predt__now_reading; reading; reading = reading->outer)
        depth++;
    if (depth > MAX_DEPTH)
        CPLError(CE_Failure, CPLE_AppDefined,
                 "sources are nested too deeply: is one made from itself?");
    return depth > MAX_DEPTH;
}

static predt__shared_index *being_built_by(const predt__question *question) {
    predt__shared_index *shared = indexes.first;
    while (shared && shared->builder != question) shared = shared->next;
    return shared;
}

static bool wait_until_built(predt__shared_index *shared) {
    if (waits_for_us(shared)) {
        CPLError(CE_Failure, CPLE_AppDefined, "the source is made from itself");
        return false;
    }
    predt__shared_index *ours =
        predt__now_reading ? being_built_by(predt__now_reading->question) : NULL;
    if (ours) ours->awaited = shared;
    while (shared->state == BUILDING) pthread_cond_wait(&indexes.changed, &indexes.lock);
    if (ours) ours->awaited = NULL;
    if (shared->state == FAILED) CPLError(CE_Failure, CPLE_AppDefined, "%s", shared->failure);
    return shared->state == BUILT;
}

/* ---- Taking and giving ---- */

static void leave(predt__shared_index *shared) {
    shared->users--;
    shared->last_use = ++indexes.uses;
}

static predt__shared_index *take_from_list(predt__shared_index *shared, predt__solver *solver) {
    shared->users++;
    bool good = shared->state == BUILT || wait_until_built(shared);
    if (good) *solver = shared->solver;
    else leave(shared);
    bool unused = !good && shared->state == FAILED && shared->users == 0;
    pthread_mutex_unlock(&indexes.lock);
    if (unused) destroy(shared);
    return good ? shared : NULL;
}

static predt__shared_index *build_new(const predt__question *question, predt__work *work,
                                      predt__shared_index *shared) {
    predt__solver solver;
    bool good = build(question, work, &solver);
    pthread_mutex_lock(&indexes.lock);
    shared->builder = NULL;
    shared->state = good ? BUILT : FAILED;
    if (good) {
        shared->solver = solver;
        shared->bytes = bytes_of(question, &solver);
    } else {
        note_failure(shared, &work->complaints);
        unlink_index(shared); /* those who wait still hold it; the next one tries again */
        leave(shared);
    }
    bool unused = shared->users == 0;
    pthread_cond_broadcast(&indexes.changed);
    pthread_mutex_unlock(&indexes.lock);
    if (unused) destroy(shared);
    return good ? shared : NULL;
}

predt__shared_index *predt__indexes_take(const predt__question *question, predt__work *work,
                                         const char *key, predt__solver *solver) {
    if (too_deep()) return NULL;
    pthread_mutex_lock(&indexes.lock);
    predt__shared_index *shared = key ? find(key) : NULL;
    if (shared) return take_from_list(shared, solver);
    shared = make(key);
    if (shared) {
        shared->users = 1;
        shared->builder = question;
        if (key) shared->next = indexes.first, indexes.first = shared;
    }
    pthread_mutex_unlock(&indexes.lock);
    if (shared) shared = build_new(question, work, shared);
    if (shared) *solver = shared->solver;
    return shared;
}

void predt__indexes_give(predt__shared_index **index) {
    predt__shared_index *shared = *index;
    if (!shared) return;
    *index = NULL;
    pthread_mutex_lock(&indexes.lock);
    leave(shared);
    bool alone = !shared->key;
    predt__shared_index *surplus = take_surplus(MAX_IDLE, (int64_t)CPLGetUsablePhysicalRAM() / 8);
    pthread_mutex_unlock(&indexes.lock);
    destroy_all(surplus);
    if (alone) destroy(shared);
}

void predt__indexes_forget(void) {
    pthread_mutex_lock(&indexes.lock);
    predt__shared_index *surplus = take_surplus(0, 0);
    pthread_mutex_unlock(&indexes.lock);
    destroy_all(surplus);
}
