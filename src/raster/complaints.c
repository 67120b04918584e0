#include "complaints.h"

#include <cpl_error.h>
#include <cpl_string.h>
#include <stdio.h>
#include <string.h>

/* Beyond this many the rest is more of the same. */
#define MAX_WARNINGS 20

static void add_warning(predt__complaints *complaints, const char *message) {
    if (CSLCount(complaints->warnings) < MAX_WARNINGS &&
        CSLFindString(complaints->warnings, message) < 0)
        complaints->warnings = CSLAddString(complaints->warnings, message);
}

/* In one line, whatever names and values are quoted in it. */
static void keep_failure(predt__complaints *complaints, const char *message) {
    char *to = complaints->failure;
    if (*to) return;
    CPLStrlcpy(to, message, sizeof complaints->failure);
    for (; *to; to++)
        if (*to == '\n' || *to == '\r') *to = ' ';
}

static void CPL_STDCALL hear(CPLErr level, CPLErrorNum number, const char *message) {
    predt__complaints *complaints = CPLGetErrorHandlerUserData();
    if (level == CE_Fatal) {
        CPLDefaultErrorHandler(level, number, message);
        return;
    }
    pthread_mutex_lock(&complaints->lock);
    if (level == CE_Failure) keep_failure(complaints, message);
    if (level == CE_Warning) add_warning(complaints, message);
    pthread_mutex_unlock(&complaints->lock);
}

/* ---- Threads that are not ours ---- */

static struct {
    pthread_mutex_t lock;
    predt__complaints *complaints; /* NULL: nobody listens */
    CPLErrorHandler before;
    void *user_before;
} elsewhere = {PTHREAD_MUTEX_INITIALIZER, NULL, NULL, NULL};

static void CPL_STDCALL overhear(CPLErr level, CPLErrorNum number, const char *message) {
    pthread_mutex_lock(&elsewhere.lock);
    predt__complaints *complaints =
        level == CE_Failure || level == CE_Warning ? elsewhere.complaints : NULL;
    CPLErrorHandler before = elsewhere.before;
    if (complaints) {
        pthread_mutex_lock(&complaints->lock);
        if (level == CE_Failure) keep_failure(complaints, message);
        else add_warning(complaints, message);
        pthread_mutex_unlock(&complaints->lock);
    }
    pthread_mutex_unlock(&elsewhere.lock);
    if (!complaints) (before ? before : CPLDefaultErrorHandler)(level, number, message);
}

void predt__overhear(predt__complaints *complaints) {
    pthread_mutex_lock(&elsewhere.lock);
    bool free = !elsewhere.complaints;
    if (free) elsewhere.complaints = complaints;
    pthread_mutex_unlock(&elsewhere.lock);
    if (!free) return;
    elsewhere.user_before = CPLGetErrorHandlerUserData();
    elsewhere.before = CPLSetErrorHandlerEx(overhear, NULL);
}

void predt__overhear_no_more(void) {
    if (!elsewhere.complaints) return;
    CPLSetErrorHandlerEx(elsewhere.before, elsewhere.user_before);
    pthread_mutex_lock(&elsewhere.lock);
    elsewhere.complaints = NULL;
    pthread_mutex_unlock(&elsewhere.lock);
}

/* ---- Threads that are ours ---- */

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

void predt__demote_failure(predt__complaints *complaints) {
    pthread_mutex_lock(&complaints->lock);
    if (complaints->failure[0]) add_warning(complaints, complaints->failure);
    complaints->failure[0] = 0;
    pthread_mutex_unlock(&complaints->lock);
}

void predt__complaints_forget(predt__complaints *complaints) {
    pthread_mutex_lock(&complaints->lock);
    CSLDestroy(complaints->warnings);
    complaints->warnings = NULL;
    complaints->failure[0] = complaints->context[0] = 0;
    pthread_mutex_unlock(&complaints->lock);
}

bool predt__has_failed(predt__complaints *complaints) {
    pthread_mutex_lock(&complaints->lock);
    bool failed = complaints->failure[0] != 0;
    pthread_mutex_unlock(&complaints->lock);
    return failed;
}

/* In place; false where it would not fit. */
static bool replace(char *text, size_t size_limit, const char *from, const char *to) {
    size_t length = strlen(from), size = strlen(to);
    char *at = strstr(text, from);
    if (!at || strlen(text) - length + size >= size_limit) return false;
    memmove(at + size, at + length, strlen(at + length) + 1);
    memcpy(at, to, size);
    return true;
}

void predt__complaints_rename(predt__complaints *complaints, const char *from, const char *to) {
    pthread_mutex_lock(&complaints->lock);
    if (!strstr(to, from))
        while (replace(complaints->failure, sizeof complaints->failure, from, to)) {
        }
    for (char **warning = complaints->warnings; warning && *warning && !strstr(to, from);
         warning++) {
        size_t size_limit = strlen(*warning) + strlen(to) + 1;
        *warning = CPLRealloc(*warning, size_limit);
        while (replace(*warning, size_limit, from, to)) {
        }
    }
    pthread_mutex_unlock(&complaints->lock);
}

void predt__add_context(predt__complaints *complaints, const char *what, const char *path) {
    pthread_mutex_lock(&complaints->lock);
    bool names_it = strncmp(complaints->failure, path, strlen(path)) == 0;
    if (!complaints->context[0] && !names_it)
        snprintf(complaints->context, sizeof complaints->context, "%s %s: ", what, path);
    pthread_mutex_unlock(&complaints->lock);
}
