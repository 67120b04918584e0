/* Chooses the instruction set, and calls its kernels. */
#include "bits.h"

#include "platform.h"

static const struct {
    const char *name;
    const predt__bits_kernels *kernels; /* NULL: not in this build */
} isas[PREDT__ISAS] = {
#ifdef PREDT__X86
    [PREDT__AVX512] = {"avx512", &predt__bits_avx2},
    [PREDT__AVX2] = {"avx2", &predt__bits_avx2},
#endif
    [PREDT__PORTABLE] = {"portable", &predt__bits_portable},
};

static bool is_present(int isa) {
    return isas[isa].kernels && (isa != PREDT__AVX512 || predt__cpu_has_avx512()) &&
           (isa != PREDT__AVX2 || predt__cpu_has_avx2());
}

/* -1: past the last. */
static int isa_at(int position) {
    for (int isa = 0; isa < PREDT__ISAS; isa++)
        if (is_present(isa) && position-- == 0) return isa;
    return -1;
}

static int forced_position = -1;

int predt__isa(void) { return isa_at(forced_position < 0 ? 0 : forced_position); }

const char *predt__isa_name(int position) {
    int isa = isa_at(position);
    return isa < 0 ? NULL : isas[isa].name;
}

void predt__isa_force(int position) { forced_position = position; }

void predt__bits_pack(const uint8_t *is_target, int64_t width, int rows, uint32_t *words) {
    isas[predt__isa()].kernels->pack(is_target, width, rows, words);
}

int64_t predt__bits_count(const uint32_t *words, int64_t width, uint32_t *starts) {
    return isas[predt__isa()].kernels->count(words, width, starts);
}

void predt__bits_gather(const uint32_t *words, int64_t width, const void *labels,
                        predt_label_type type, void *values) {
    isas[predt__isa()].kernels->gather(words, width, labels, type, values);
}

void predt__bits_turn(const uint32_t columns[32], uint32_t rows[32]) {
    isas[predt__isa()].kernels->turn(columns, rows);
}
