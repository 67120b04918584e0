/* Names of files in texts: connection strings, XML, JSON. What may be a name is handed out; whether
 * there is such a file is for the caller to see. */
#ifndef PREDT__KIN_TEXTS_H
#define PREDT__KIN_TEXTS_H

#include <cpl_minixml.h>
#include <stdbool.h>

/* What a text is by the place where it stands. */
typedef enum predt__text_kind {
    PREDT__ANY_TEXT,
    PREDT__PERHAPS_NAME,
    PREDT__SOURCE_NAME
} predt__text_kind;

typedef void predt__take_text(const char *text, predt__text_kind kind, void *user);

/* Every value of an XML tree: texts of elements, and attributes. */
void predt__texts_of_xml(const CPLXMLNode *node, predt__take_text *take, void *user);

/* Every string of a JSON text, right or not. */
void predt__texts_of_json(const char *json, predt__take_text *take, void *user);

/* The pieces of a name such as NETCDF:"a.nc":band, vrt://a.vrt?bands=1, /vsizip/a.zip/b.tif,
 * /vsisubfile/100_200,a.tif: from each place where a name may begin to each where it may end, the
 * longest first, until `is_one` says yes. */
void predt__pieces_of_name(const char *name, bool (*is_one)(const char *piece, void *user),
                           void *user);

#endif
