#define _GNU_SOURCE
#include "apart.h"

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

int predt__go_to(const char *folder) {
    int before = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (before < 0) return -1;
    if (unshare(CLONE_FS) == 0 && chdir(folder) == 0) return before;
    close(before);
    return -1;
}

void predt__come_back(int before) {
    if (before < 0) return;
    /* never seen: the descriptor is of the folder that was left */
    if (fchdir(before) != 0) _exit(1);
    close(before);
}
