/* Patterns made to be slow: each gives many sub-blocks long lists, or their pixels many targets at
 * nearly the same distance. A number in the name is a length in pixels. Included by patterns.h. */
#ifndef PREDT_BENCH_HARD_PATTERNS_H
#define PREDT_BENCH_HARD_PATTERNS_H

static const char *const hard_patterns[] = {
    "rows-48",     "rows-64",      "rows-128",    "rows-1024",   "jitter-48",   "jitter-64",
    "jitter-128",  "jitter-512",   "circles-48",  "circles-100", "circles-200", "circles-400",
    "circles-800", "circles-2000", "rings-48",    "rings-64",    "rings-128",   "rings-512",
    "fan-8",       "fan-32",       "fan-128",     "waves-64",    "waves-128",   "waves-512",
    "lattice-33",  "lattice-46",   "lattice-100", "slant-48",    "slant-64",    "slant-128",
    "slant-512",   "arcs-400",     "arcs-1000",   "arcs-3000"};

#define HARD_PATTERNS (sizeof hard_patterns / sizeof hard_patterns[0])

static inline void set_circle(uint8_t *raster, int64_t n, double row, double col, double radius) {
    for (int64_t t = (int64_t)-radius; t <= (int64_t)radius; t++) {
        double half = sqrt(fmax(radius * radius - (double)(t * t), 0));
        for (int side = -1; side <= 1; side += 2) {
            set(raster, n, row + (double)t, col + side * half);
            set(raster, n, row + side * half, col + (double)t);
        }
    }
}

static inline void fill_rows(uint8_t *raster, int64_t n, double pitch) {
    for (int64_t row = 0; row < n; row += (int64_t)pitch) memset(raster + row * n, 1, (size_t)n);
}

/* One target a column and `pitch` rows, up to a quarter of it away from the middle by chance. */
static inline void fill_jitter(uint8_t *raster, int64_t n, double pitch) {
    uint64_t k = 0;
    for (double row = pitch / 2; row < (double)n; row += pitch)
        for (int64_t col = 0; col < n; col++)
            set(raster, n, row + pitch / 2 * (draw_unit(k++) - 0.5), (double)col);
}

static inline void fill_circles(uint8_t *raster, int64_t n, double radius) {
    for (double row = radius; row < (double)n; row += 2 * radius + 2)
        for (double col = radius; col < (double)n; col += 2 * radius + 2)
            set_circle(raster, n, row, col, radius);
}

static inline void fill_rings(uint8_t *raster, int64_t n, double gap) {
    for (double radius = gap; radius < (double)n; radius += gap)
        set_circle(raster, n, (double)n / 2, (double)n / 2, radius);
}

/* Lines through the middle. */
static inline void fill_fan(uint8_t *raster, int64_t n, double count) {
    for (int i = 0; i < (int)count; i++) {
        double angle = acos(-1.0) * (i + 0.3) / count;
        for (double t = (double)-n; t < (double)n; t += 0.7)
            set(raster, n, (double)n / 2 + t * sin(angle), (double)n / 2 + t * cos(angle));
    }
}

static inline void fill_waves(uint8_t *raster, int64_t n, double pitch) {
    for (double row = 0; row < (double)n; row += pitch)
        for (double col = 0; col < (double)n; col += 0.5)
            set(raster, n, row + pitch / 4 * sin(col / pitch), col);
}

static inline void fill_lattice(uint8_t *raster, int64_t n, double pitch) {
    for (double row = 0; row < (double)n; row += pitch)
        for (double col = 0; col < (double)n; col += pitch) set(raster, n, row, col);
}

/* Parallel lines of slope 1/3. */
static inline void fill_slant(uint8_t *raster, int64_t n, double pitch) {
    for (double row = (double)-n; row < (double)n; row += pitch)
        for (int64_t col = 0; col < n; col++) set(raster, n, row + (double)col / 3, (double)col);
}

/* Upper halves of circles, one above the other: every row between them is a focus for some of
 * it. */
static inline void fill_arcs(uint8_t *raster, int64_t n, double radius) {
    for (double row = radius; row < (double)n + radius; row += radius / 4)
        for (double col = 0; col < (double)n + radius; col += 2 * radius)
            for (double t = -radius; t <= radius; t += 1)
                set(raster, n, row - sqrt(radius * radius - t * t), col + t);
}

/* False if there is no such pattern. */
static inline bool fill_hard(const char *name, uint8_t *raster, int64_t n) {
    static const struct {
        const char *name;
        void (*fill)(uint8_t *, int64_t, double);
    } families[] = {
        {"rows-", fill_rows},       {"jitter-", fill_jitter}, {"circles-", fill_circles},
        {"rings-", fill_rings},     {"fan-", fill_fan},       {"waves-", fill_waves},
        {"lattice-", fill_lattice}, {"slant-", fill_slant},   {"arcs-", fill_arcs}};
    const char *number = strchr(name, '-');
    double value = number ? strtod(number + 1, NULL) : 0;
    if (value < 1) return false;
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
        if (strncmp(name, families[i].name, strlen(families[i].name))) continue;
        families[i].fill(raster, n, value);
        return true;
    }
    return false;
}

#endif
