/* Template: labels of one row of a tile, taken or put plainly: step over a label only where a
 * target is. Before each inclusion define
 *   LABEL           the labels' type
 *   LABEL_(name)    a name with the type behind it
 * Both are undefined at the end. */

/* Stores one element more than there are targets. */
static inline LABEL *LABEL_(gather)(LABEL *to, const LABEL *from, uint32_t row) {
    for (; row; row >>= 1) {
        *to = *from++;
        to += row & 1;
    }
    return to;
}

static inline const LABEL *LABEL_(spread)(LABEL *to, const LABEL *from, uint32_t row) {
    for (; row; row >>= 1) {
        *to++ = *from;
        from += row & 1;
    }
    return from;
}

#undef LABEL
#undef LABEL_
