/* What a run takes of the machine's memory, worked out before any work: how its limit is shared
 * out, and what cannot be done within it. */
#ifndef PREDT__BUDGET_H
#define PREDT__BUDGET_H

#include <stdbool.h>
#include <stdint.h>

struct predt__run;

/* Strips of answers at once: one being solved, one being written, one to even out the two. */
#define PREDT__SLOTS 3

typedef struct predt__budget {
    int64_t index; /* predt_options.index_memory */
    /* bytes for the strips of either sweep; a strip of the fewest rows may take more than its
     * share */
    int64_t strips;
    int threads; /* that answer */
    int slots;   /* 1 to PREDT__SLOTS */
} predt__budget;

/* Fills run->budget, with fewer slots and threads where the limit is narrow. The measure is
 * planned, and the sinks are open unless it is for a layer of the GDAL driver, whose readers ask
 * for what they want. A limit that nobody set gives way as far as the machine goes. False, with the
 * figure in the message, where the least is too much. */
bool predt__plan_budget(struct predt__run *run, bool layer);

/* The same before any output is made: some take long to be made, of a size that cannot be worked on
 * anyway. */
bool predt__glance_at_budget(struct predt__run *run);

/* GDAL's share of a limit. */
int64_t predt__block_cache(int64_t memory);

/* Bytes of a whole block of the source while it is read: a block cannot be decoded in part. */
int64_t predt__source_block_bytes(const struct predt__run *run);

#endif
