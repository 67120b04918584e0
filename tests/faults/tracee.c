#define _GNU_SOURCE
#include "tracee.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <unistd.h>

unsigned long long argument_of(const struct user_regs_struct *registers, int n) {
    const unsigned long long arguments[] = {registers->rdi, registers->rsi, registers->rdx,
                                            registers->r10, registers->r8,  registers->r9};
    return arguments[n];
}

/* ---- Which file ---- */

/* Reads what is there: less than `room` where the memory ends. */
static void read_text(pid_t thread, unsigned long long address, char *text, size_t room) {
    char name[64];
    snprintf(name, sizeof name, "/proc/%d/mem", (int)thread);
    int memory = open(name, O_RDONLY | O_CLOEXEC);
    ssize_t got = memory < 0 ? 0 : pread(memory, text, room - 1, (off_t)address);
    if (memory >= 0) close(memory);
    text[got < 0 ? 0 : got] = 0;
}

static void read_link_of(pid_t thread, int fd, char *path, size_t room) {
    char name[64];
    if (fd == AT_FDCWD) snprintf(name, sizeof name, "/proc/%d/cwd", (int)thread);
    else snprintf(name, sizeof name, "/proc/%d/fd/%d", (int)thread, fd);
    ssize_t got = readlink(name, path, room - 1);
    path[got < 0 ? 0 : got] = 0;
}

static void read_path(pid_t thread, int folder, unsigned long long address, char *path,
                      size_t room) {
    char text[4096];
    read_text(thread, address, text, sizeof text);
    if (text[0] == '/') {
        snprintf(path, room, "%s", text);
        return;
    }
    read_link_of(thread, folder, path, room);
    size_t length = strlen(path);
    if (text[0]) snprintf(path + length, room - length, "/%s", text);
}

void file_of(pid_t thread, const struct user_regs_struct *registers, const traced_call *call,
             char *path, size_t room) {
    unsigned long long value = argument_of(registers, call->argument);
    path[0] = 0;
    if (call->subject == BY_FD || call->subject == BY_MAP)
        read_link_of(thread, (int)value, path, room);
    else if (call->subject == BY_PATH) read_path(thread, AT_FDCWD, value, path, room);
    else if (call->subject == BY_AT)
        read_path(thread, (int)argument_of(registers, call->argument - 1), value, path, room);
}

bool is_for_writing(pid_t thread, int fd) {
    char name[64], text[512];
    snprintf(name, sizeof name, "/proc/%d/fdinfo/%d", (int)thread, fd);
    int info = open(name, O_RDONLY | O_CLOEXEC);
    ssize_t got = info < 0 ? 0 : read(info, text, sizeof text - 1);
    if (info >= 0) close(info);
    text[got < 0 ? 0 : got] = 0;
    const char *flags = strstr(text, "flags:");
    return flags && (strtol(flags + 6, NULL, 8) & O_ACCMODE) != O_RDONLY;
}

/* ---- How it ends ---- */

void refuse_call(pid_t thread, struct user_regs_struct registers, int error) {
    registers.orig_rax = (unsigned long long)-1;
    registers.rax = (unsigned long long)-error;
    ptrace(PTRACE_SETREGS, thread, NULL, &registers);
}

bool halve_call(pid_t thread, struct user_regs_struct registers, const traced_call *call) {
    if (strstr(call->name, "writev") || registers.rdx < 2) return false;
    registers.rdx /= 2;
    ptrace(PTRACE_SETREGS, thread, NULL, &registers);
    return true;
}

void belie_call(pid_t thread, int error) {
    struct user_regs_struct registers;
    if (ptrace(PTRACE_GETREGS, thread, NULL, &registers) != 0) return;
    registers.rax = (unsigned long long)-error;
    ptrace(PTRACE_SETREGS, thread, NULL, &registers);
}

/* ---- Which calls stop ---- */

static bool stops(const traced_call *call, const char *family) {
    return strcmp(call->family, family) == 0 || strcmp(call->family, "open") == 0;
}

/* A test and a jump for each call; everything else runs at full speed. */
bool filter_calls(const char *family) {
    struct sock_filter program[2 * CALLS + 4];
    unsigned short length = 0;
    program[length++] =
        (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (size_t i = 0; i < CALLS; i++) {
        if (!stops(&calls[i], family)) continue;
        program[length++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
                                                         (unsigned)calls[i].number, 0, 1);
        program[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE);
    }
    program[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog filter = {length, program};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) == 0;
}
