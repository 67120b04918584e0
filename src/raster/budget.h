/* What a run takes of the machine's memory, worked out before any work: how its limit is shared
 * out, and what cannot be done within it. */
#ifndef PREDT__BUDGET_H
#define PREDT__BUDGET_H

#include "question.h"

/* Strips of answers at once: one being solved, one being written, one to even out the two. */
#define PREDT__SLOTS 3

typedef struct predt__budget {
    int64_t memory;  /* the limit */
    bool is_users;   /* who set it; another one gives way as far as the machine goes */
    int max_threads; /* that may be used */
    int64_t index;   /* predt_options.index_memory */
    /* bytes for the strips of either sweep; a strip of the fewest rows may take more than its
     * share */
    int64_t strips;
    int threads; /* that answer */
    int slots;   /* 1 to PREDT__SLOTS */
} predt__budget;

/* Limit and threads, from the user or the machine. */
void predt__budget_open(predt__budget *budget, const predt__machine *machine);

/* Shares the limit out, with fewer slots and threads where it is narrow. output_bytes: what the
 * outputs themselves hold while predt__min_strip_rows are written. layer: for a layer of the GDAL
 * driver, whose readers ask for the rows that they want. The question may still have to be settled.
 * False, with the figure in the message, where the minimum is too much. */
bool predt__budget_plan(predt__budget *budget, const predt__question *question,
                        int64_t output_bytes, bool layer);

/* Rows of the smallest strip: the core answers whole sub-blocks. */
int64_t predt__min_strip_rows(const predt__question *question);

/* GDAL's share of a limit. */
int64_t predt__block_cache(int64_t memory);

/* Bytes of a whole block of the source while it is read: a block cannot be decoded in part. */
int64_t predt__source_block_bytes(const predt__source *source);

#endif
