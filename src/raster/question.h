/* What is asked of a source, understood: which pixels are targets, how distance is measured, which
 * products are wanted and how their pixels look. The command and the GDAL driver make the same; it
 * knows neither where answers go nor how they are worked out, and does not change once it is
 * settled. */
#ifndef PREDT__QUESTION_H
#define PREDT__QUESTION_H

#include "complaints.h"
#include "measure.h"
#include "nodata.h"

typedef struct predt__question {
    const predt__request *request; /* the caller's */
    unsigned products;             /* a bit for each that is wanted: 1 << PREDT__DISTANCE, ... */
    predt__source source;
    predt__selection *selection;
    predt__measure measure;
    predt_encoding encoding; /* of the distance; without arrays */
    predt__value direction_nodata;
    predt__candidates label_nodata; /* one of them will be the allocation's, see build.h */
} predt__question;

/* Checks the request's numbers, opens the source, reads which pixels are targets and how distance
 * is measured: enough to tell what the products are to be. Close the question even on failure, with
 * a CPLError; it stays where it is until then. */
bool predt__question_open(predt__question *question, const predt__request *request,
                          unsigned products, predt__complaints *complaints);

/* Encoding and candidates for nodata. media: by product, what will hold them; NULL: anything. */
bool predt__question_settle(predt__question *question, const predt__medium *media);

void predt__question_close(predt__question *question);

bool predt__asks_for(const predt__question *question, predt__product product);

/* Type of a product's pixels: before the question is settled, of a raster that is made new. */
predt__kind predt__kind_of_product(const predt__question *question, predt__product product);

/* Whether distances are measured on an ellipsoid; then its name, else an empty text. */
bool predt__is_geodesic(const predt__question *question);
const char *predt__question_ellipsoid(const predt__question *question);

/* What the index has to carry for the answers. */
predt_label_type predt__labels_needed(const predt__question *question);

/* What the band of a product is called, and the unit of its values. */
const char *predt__product_description(predt__product product);
const char *predt__product_unit(const predt__question *question, predt__product product);

/* Warns where no pixel is a target; of a band with a scale it says which values count. */
void predt__warn_of_no_target(const predt__question *question, int64_t targets);

#endif
