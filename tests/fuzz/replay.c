/* Runs a fuzzer on files and folders of files, for compilers without libFuzzer. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

static int run_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) return 0;
    static uint8_t data[1 << 20];
    size_t size = fread(data, 1, sizeof data, file);
    fclose(file);
    /* of its own size, so that a read beyond its end is noticed */
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy) return 0;
    memcpy(copy, data, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
    return 1;
}

static int run_folder(const char *path) {
    DIR *folder = opendir(path);
    int count = 0;
    if (!folder) return run_file(path);
    for (struct dirent *entry; (entry = readdir(folder));) {
        char name[4096];
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] != '.') count += run_file(name);
    }
    closedir(folder);
    return count;
}

int main(int argc, char **argv) {
    int count = 0;
    LLVMFuzzerInitialize(&argc, &argv);
    for (int i = 1; i < argc; i++) count += run_folder(argv[i]);
    printf("%d inputs\n", count);
    return count > 0 ? 0 : 1;
}
