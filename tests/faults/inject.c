/* predt_inject OPTION... -- COMMAND...: runs a command, follows all its threads and children, and
 * makes one system call of one family fail. LD_PRELOAD would not do: it does not see the writes
 * that stdio makes itself.
 *
 *   --calls FAMILY    see calls.h: write, sync, close, rename...
 *   --nth N           the N-th such call, from 1; 0: none, they are counted only
 *   --error NAME      with which errno: EIO, ENOSPC...
 *   --mode MODE       once; on (from then on); short (that write moves half); short-on (half, then
 *                     all fail);
 *                     kill, term (the process gets SIGKILL or SIGTERM instead, before the call)
 *   --below FOLDER    only calls on files below it count
 *   --limit SECONDS   then the command is killed: it hangs
 *   --report FILE     gets lines "calls N", "failed N", "call NAME rw|r FILE" (the first that
 *                     failed; rw: through a descriptor for writing), "end exit N|signal N|hang";
 *                     where none is to fail, "met NAME rw|r FILE" for each
 *
 * Exit status: the command's, 128 + its signal, 124 if it hung, 125 for a usage that is wrong, 77
 * where ptrace or seccomp are not to be had. A close that fails has closed, as on Linux; other
 * calls that fail have not been made. */
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tracee.h"

#define HANG 124
#define USAGE 125
#define SKIP 77
#define LARGEST_THREAD 4194304 /* Linux's PID_MAX_LIMIT */

typedef enum mode { ONCE, ON, SHORT, SHORT_ON, KILL, TERM, MODES } fault_mode;

static const char *const mode_names[MODES] = {"once", "on", "short", "short-on", "kill", "term"};

static struct plan {
    const char *family, *below, *report;
    long nth, limit;
    int error;
    fault_mode mode;
} plan = {.family = "", .below = "", .limit = 60, .error = EIO};

static struct tally {
    long calls, failed;
    FILE *report;
    bool begun; /* a file below has been opened: from then on memory without a file counts */
    char first[8400];
} tally;

static volatile sig_atomic_t out_of_time;

static void time_is_up(int number) {
    (void)number;
    out_of_time = 1;
}

/* ---- Which calls count ---- */

static const traced_call *call_of(long long number) {
    for (size_t i = 0; i < CALLS; i++)
        if (calls[i].number == number) return &calls[i];
    return NULL;
}

static bool is_below(const char *path) {
    return strncmp(path, plan.below, strlen(plan.below)) == 0;
}

static bool counts(const traced_call *call, const char *path) {
    bool below = is_below(path);
    if (strcmp(call->family, "open") == 0 && below) tally.begun = true;
    if (strcmp(call->family, plan.family) != 0) return false;
    if (call->subject == ALWAYS) return tally.begun;
    return call->subject == BY_MAP && !*path ? tally.begun : below;
}

/* ---- What becomes of them ---- */

static const char *access_of(pid_t thread, const struct user_regs_struct *registers,
                             const traced_call *call) {
    return call->subject == BY_FD &&
                   is_for_writing(thread, (int)argument_of(registers, call->argument))
               ? "rw"
               : "r";
}

static void note(pid_t thread, const struct user_regs_struct *registers, const traced_call *call,
                 const char *path) {
    if (plan.nth == 0 && tally.report)
        fprintf(tally.report, "met %s %s %s\n", call->name, access_of(thread, registers, call),
                path);
}

static void note_failed(pid_t thread, const struct user_regs_struct *registers,
                        const traced_call *call, const char *path) {
    if (tally.failed++ > 0) return;
    snprintf(tally.first, sizeof tally.first, "%s %s %s", call->name,
             access_of(thread, registers, call), path);
}

/* True if the thread is to stop again after the call: its result is to be another. */
static bool fail(pid_t thread, const struct user_regs_struct *registers, const traced_call *call) {
    if (strcmp(call->family, "close") == 0) return true;
    refuse_call(thread, *registers, plan.error);
    return false;
}

static bool meet(pid_t thread, const struct user_regs_struct *registers, const traced_call *call,
                 const char *path) {
    bool now = tally.calls == plan.nth, later = plan.nth > 0 && tally.calls > plan.nth;
    if (!now && !(later && (plan.mode == ON || plan.mode == SHORT_ON))) return false;
    note_failed(thread, registers, call, path);
    if (plan.mode == KILL || plan.mode == TERM) kill(thread, plan.mode == KILL ? SIGKILL : SIGTERM);
    else if (now && plan.mode >= SHORT && halve_call(thread, *registers, call)) return false;
    else return fail(thread, registers, call);
    return false;
}

/* A thread is about to make a call that the filter names. */
static bool consider(pid_t thread) {
    struct user_regs_struct registers;
    char path[8192];
    /* it has been killed meanwhile */
    if (ptrace(PTRACE_GETREGS, thread, NULL, &registers) != 0) return false;
    const traced_call *call = call_of((long long)registers.orig_rax);
    if (!call) return false;
    file_of(thread, &registers, call, path, sizeof path);
    if (!counts(call, path)) return false;
    tally.calls++;
    note(thread, &registers, call, path);
    return meet(thread, &registers, call, path);
}

/* ---- Following ---- */

static void go_on(pid_t thread, int status) {
    int number = WSTOPSIG(status), event = status >> 16;
    bool stop_after = false;
    if (event == PTRACE_EVENT_SECCOMP) stop_after = consider(thread);
    else if (number == (SIGTRAP | 0x80)) belie_call(thread, plan.error);
    bool ours = event || number == (SIGTRAP | 0x80) || number == SIGSTOP || number == SIGTRAP;
    ptrace(stop_after ? PTRACE_SYSCALL : PTRACE_CONT, thread, NULL, ours ? 0L : (long)number);
}

/* Until the last thread and child has ended. */
static int follow(pid_t command) {
    int status, end = 0;
    for (;;) {
        pid_t thread = waitpid(-1, &status, __WALL);
        if (thread < 0 && errno == ECHILD) return end;
        if (out_of_time) kill(command, SIGKILL);
        if (thread < 0) continue;
        if (WIFSTOPPED(status)) go_on(thread, status);
        else if (thread == command) end = status;
    }
}

static void become(char **command) {
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0) _exit(SKIP);
    raise(SIGSTOP);
    if (!filter_calls(plan.family)) _exit(SKIP);
    execvp(command[0], command);
    fprintf(stderr, "predt_inject: %s: %s\n", command[0], strerror(errno));
    _exit(USAGE);
}

static int run(char **command) {
    const long options = PTRACE_O_EXITKILL | PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACESECCOMP |
                         PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
                         PTRACE_O_TRACEEXEC;
    int status;
    pid_t child = fork();
    if (child == 0) become(command);
    if (child < 0 || waitpid(child, &status, __WALL) != child) exit(USAGE);
    if (!WIFSTOPPED(status) || ptrace(PTRACE_SETOPTIONS, child, NULL, options) != 0) exit(SKIP);
    struct sigaction action = {.sa_handler = time_is_up}; /* no SA_RESTART: waitpid is to notice */
    sigaction(SIGALRM, &action, NULL);
    alarm((unsigned)plan.limit);
    ptrace(PTRACE_CONT, child, NULL, 0L);
    return follow(child);
}

static void report(int end) {
    FILE *file = tally.report;
    if (!file) return;
    fprintf(file, "calls %ld\nfailed %ld\ncall %s\nend ", tally.calls, tally.failed, tally.first);
    if (out_of_time) fprintf(file, "hang\n");
    else if (WIFSIGNALED(end)) fprintf(file, "signal %d\n", WTERMSIG(end));
    else fprintf(file, "exit %d\n", WEXITSTATUS(end));
    fclose(file);
}

/* ---- The command line ---- */

static bool is_family(const char *name) {
    for (size_t i = 0; i < CALLS; i++)
        if (strcmp(calls[i].family, name) == 0) return true;
    return false;
}

static int error_named(const char *name) {
    for (int error = 1; error < 134; error++)
        if (strerrorname_np(error) && strcmp(strerrorname_np(error), name) == 0) return error;
    return 0;
}

static fault_mode mode_named(const char *name) {
    fault_mode mode = 0;
    while (mode < MODES && strcmp(mode_names[mode], name) != 0) mode++;
    return mode;
}

static bool parse(int argc, char **argv) {
    static const struct option options[] = {{"calls", 1, NULL, 'c'},  {"nth", 1, NULL, 'n'},
                                            {"error", 1, NULL, 'e'},  {"mode", 1, NULL, 'm'},
                                            {"below", 1, NULL, 'b'},  {"limit", 1, NULL, 'l'},
                                            {"report", 1, NULL, 'r'}, {0}};
    for (int option; (option = getopt_long(argc, argv, "+", options, NULL)) != -1;) {
        if (option == 'c') plan.family = optarg;
        else if (option == 'n') plan.nth = strtol(optarg, NULL, 10);
        else if (option == 'e') plan.error = error_named(optarg);
        else if (option == 'm') plan.mode = mode_named(optarg);
        else if (option == 'b') plan.below = optarg;
        else if (option == 'l') plan.limit = strtol(optarg, NULL, 10);
        else if (option == 'r') plan.report = optarg;
        else return false;
    }
    return is_family(plan.family) && plan.error && plan.mode < MODES && argv[optind];
}

int main(int argc, char **argv) {
    if (!parse(argc, argv)) {
        fprintf(stderr, "predt_inject: wrong options: see the head of tests/faults/inject.c\n");
        return USAGE;
    }
    if (plan.report) tally.report = fopen(plan.report, "we");
    int end = run(argv + optind);
    report(end);
    if (out_of_time) return HANG;
    return WIFSIGNALED(end) ? 128 + WTERMSIG(end) : WEXITSTATUS(end);
}
