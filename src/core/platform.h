/* All that the core needs of an operating system and of a processor beyond C11 and what GCC and
 * Clang share. Written for Linux: a port to macOS or Windows is another platform.c, with the two
 * types below. */
#ifndef PREDT__PLATFORM_H
#define PREDT__PLATFORM_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the system has to say of the last call here that failed, on this thread. */
const char *predt__system_error(void);

/* ---- Threads ---- */

typedef pthread_mutex_t predt__mutex;
typedef pthread_t predt__thread;

void predt__mutex_init(predt__mutex *mutex);
void predt__mutex_destroy(predt__mutex *mutex);
void predt__mutex_lock(predt__mutex *mutex);
void predt__mutex_unlock(predt__mutex *mutex);

/* False: the system has no more threads. */
bool predt__thread_start(predt__thread *thread, void *(*run)(void *), void *argument);
void predt__thread_join(predt__thread thread);

/* Memory of the calling thread: zeros when it first asks, freed when the thread ends; NULL: out of
 * memory. There is one block a thread: the size is the same in every call. */
void *predt__thread_memory(size_t bytes);

/* ---- Processor ---- */

/* CPUs that this process may use. */
int predt__cpu_count(void);

/* Whether the processor has the instructions that the kernels for AVX2 are compiled with. */
bool predt__cpu_has_avx2(void);
/* The same for AVX-512. */
bool predt__cpu_has_avx512(void);

/* ---- Memory ---- */

size_t predt__page_bytes(void);

/* Pages of zeros; NULL: out of memory. */
void *predt__pages_new(size_t bytes);

/* The same where few will ever be touched: the others take no memory. */
void *predt__pages_sparse(size_t bytes);

void predt__pages_free(void *pages, size_t bytes);

/* ---- Temporary files ---- */

/* The user's folder for temporary files. */
const char *predt__temp_folder(void);

/* A file without a name in the folder: nothing is left behind, however the process ends. Below 0:
 * it cannot be made. */
int predt__file_new(const char *folder);
void predt__file_close(int file);

/* The bytes of the file from `start` on as memory, to be freed as pages are; NULL: the disk or the
 * memory is full. Bytes of the disk are reserved here: a full one never shows later. */
void *predt__file_pages(int file, int64_t start, size_t bytes);

/* Takes such pages out of memory. The file keeps what was written: whoever touches them gets them
 * again. */
void predt__file_pages_drop(void *pages, size_t bytes);

#endif
