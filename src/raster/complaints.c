#include "complaints.h"

#include <cpl_error.h>
#include <cpl_string.h>
#include <stdio.h>
#include <string.h>

/* Beyond this many the rest is more of the same. */
#define MOST_WARNINGS 20

static void add_warning(predt__complaints *complaints, const char *message) {
    if (CSLCount(complaints->warnings) < MOST_WARNINGS && CSLFindString(complaints->warnings, message) < 0)
        complaints->warnings = CSLAddString(complaints->warnings, message);
}

static void CPL_STDCALL hear(CPLErr level, CPLErrorNum number, const char *message) {
    predt__complaints *complaints = CPLGetErrorHandlerUserData();
    if (level == CE_Fatal) {
        CPLDefaultErrorHandler(level, number, message);
        return;
    }
    pthread_mutex_lock(&complaints->lock);
    if (level == CE_Failure && !complaints->failure[0]) CPLStrlcpy(complaints->failure, message, sizeof complaints->failure);
    if (level == CE_Warning) add_warning(complaints, message);
    pthread_mutex_unlock(&complaints->lock);
}

/* What is told for debugging goes on to whoever listened before. */
void predt__listen(predt__complaints *complaints) {
    CPLPushErrorHandlerEx(hear, complaints);
    CPLSetCurrentErrorHandlerCatchDebug(FALSE);
}

void predt__listen_no_more(void) { CPLPopErrorHandler(); }

void predt__complaints_open(predt__complaints *complaints) {
    *complaints = (predt__complaints){0};
    pthread_mutex_init(&complaints->lock, NULL);
    predt__listen(complaints);
}

void predt__complaints_close(predt__complaints *complaints, bool failed) {
    predt__listen_no_more();
    for (char **warning = complaints->warnings; warning && *warning && !failed; warning++)
        CPLError(CE_Warning, CPLE_AppDefined, "%s", *warning);
    if (failed)
        CPLError(CE_Failure, CPLE_AppDefined, "%s%s", complaints->context,
                 complaints->failure[0] ? complaints->failure : "failed without saying why");
    CSLDestroy(complaints->warnings);
    pthread_mutex_destroy(&complaints->lock);
}

void predt__forgive(predt__complaints *complaints) {
    pthread_mutex_lock(&complaints->lock);
    if (complaints->failure[0]) add_warning(complaints, complaints->failure);
    complaints->failure[0] = 0;
    pthread_mutex_unlock(&complaints->lock);
}

bool predt__has_failed(predt__complaints *complaints) {
    pthread_mutex_lock(&complaints->lock);
    bool failed = complaints->failure[0] != 0;
    pthread_mutex_unlock(&complaints->lock);
    return failed;
}

void predt__while(predt__complaints *complaints, const char *what, const char *path) {
    pthread_mutex_lock(&complaints->lock);
    if (!complaints->context[0]) snprintf(complaints->context, sizeof complaints->context, "%s %s: ", what, path);
    pthread_mutex_unlock(&complaints->lock);
}
