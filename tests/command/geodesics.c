/* Geodesics by brute force, for geodesics.py: all numbers are doubles, in from stdin and out to
 * stdout.
 *
 *     geodesics nearest: a, f, targets, pixels, (lat, lon) of each target, (lat, lon) of each pixel
 *                        -> of each pixel the length of the shortest way to a target
 *     geodesics pairs:   a, f, pairs, 0, (lat, lon) of each start, (lat, lon) of each end
 *                        -> of each pair the length and the azimuth at the start */
#include <geodesic.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double *read_numbers(size_t count) {
    double *numbers = malloc((count + 1) * sizeof *numbers);
    if (!numbers || fread(numbers, sizeof *numbers, count, stdin) != count) exit(1);
    return numbers;
}

static void write_number(double number) {
    if (fwrite(&number, sizeof number, 1, stdout) != 1) exit(1);
}

static double from_to(const struct geod_geodesic *g, const double *from, const double *to,
                      double *azimuth) {
    double length;
    geod_inverse(g, from[0], from[1], to[0], to[1], &length, azimuth, NULL);
    return length;
}

int main(int argc, char **argv) {
    double head[4], azimuth;
    struct geod_geodesic g;
    if (argc != 2 || fread(head, sizeof *head, 4, stdin) != 4) return 1;
    geod_init(&g, head[0], head[1]);
    int is_pairs = strcmp(argv[1], "pairs") == 0;
    size_t count = (size_t)head[2], pixels = is_pairs ? count : (size_t)head[3];
    double *first = read_numbers(2 * count), *second = read_numbers(2 * pixels);
    for (size_t i = 0; i < pixels; i++) {
        double nearest = (double)INFINITY;
        if (is_pairs) nearest = from_to(&g, first + 2 * i, second + 2 * i, &azimuth);
        for (size_t j = 0; j < count && !is_pairs; j++)
            nearest = fmin(nearest, from_to(&g, second + 2 * i, first + 2 * j, NULL));
        write_number(nearest);
        if (is_pairs) write_number(azimuth);
    }
    free(first);
    free(second);
    return 0;
}
