/* Template: marks pixels of one kind. Before each inclusion define
 *   MARK         the function's name
 *   MARK_TYPE    the pixels' type
 *   MARK_VALUE   the member of predt__value that holds it
 *   MARK_REAL    1: it may be NaN
 * All of them are undefined at the end. NaN compares false with both ends of a range. */
static void MARK(const predt__ranges *ranges, bool nan, const void *from, size_t count,
                 uint8_t *restrict marks) {
    const MARK_TYPE *restrict pixels = from;
#if MARK_REAL
    for (size_t i = 0; i < count; i++) marks[i] = nan & (pixels[i] != pixels[i]);
#else
    (void)nan;
    memset(marks, 0, count);
#endif
    if (ranges->count > FEW_RANGES)
        for (size_t i = 0; i < count; i++)
            marks[i] |= predt__ranges_contain(ranges, (predt__value){.MARK_VALUE = pixels[i]});
    else
        for (int r = 0; r < ranges->count; r++) {
            MARK_TYPE first = (MARK_TYPE)ranges->list[r].from.MARK_VALUE,
                      last = (MARK_TYPE)ranges->list[r].to.MARK_VALUE;
            for (size_t i = 0; i < count; i++)
                marks[i] |= (uint8_t)((pixels[i] >= first) & (pixels[i] <= last));
        }
}

#undef MARK
#undef MARK_TYPE
#undef MARK_VALUE
#undef MARK_REAL
