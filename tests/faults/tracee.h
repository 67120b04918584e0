/* One stopped thread of the command: which call it is about to make, on which file, and how that
 * call is to end. */
#ifndef PREDT_FAULTS_TRACEE_H
#define PREDT_FAULTS_TRACEE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <sys/user.h>

#include "calls.h"

/* Argument n (from 0) of the call that the thread is about to make. */
unsigned long long argument_of(const struct user_regs_struct *registers, int n);

/* The file that the call concerns; an empty text where there is none. */
void file_of(pid_t thread, const struct user_regs_struct *registers, const traced_call *call,
             char *path, size_t room);

/* Whether the thread may write through this descriptor. */
bool is_for_writing(pid_t thread, int fd);

/* The call is not made and gives -error. */
void refuse_call(pid_t thread, struct user_regs_struct registers, int error);

/* The call moves half of the bytes that it was to move. False for the vectors of writev and of
 * those like it. */
bool halve_call(pid_t thread, struct user_regs_struct registers, const traced_call *call);

/* The call has been made, and gives -error nevertheless. */
void belie_call(pid_t thread, int error);

/* Installs the filter in this process: calls of the family, and those that open files, stop for the
 * tracer. */
bool filter_calls(const char *family);

#endif
