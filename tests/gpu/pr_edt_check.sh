#!/bin/sh
# Builds pr_edt_check.cu with what it needs, in a folder of its own, and runs it.
#
#     tests/gpu/pr_edt_check.sh FOLDER [--time | KIND]
#
# ARCH: the target of nvcc (default sm_90); BUILD_ONLY=1: do not run. -lineinfo serves compute-sanitizer.
set -eu
folder=${1:?usage: tests/gpu/pr_edt_check.sh FOLDER [--time | KIND]}
shift
root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$folder"
rm -f "$folder"/*.o
cuda=$(cd "$(dirname "$(readlink -f "$(command -v nvcc)")")/.." && pwd)
flags="-std=gnu11 -O2 -Wall -Wextra -Wshadow=local -ffp-contract=off -I$root/include -I$root -I$cuda/include"

# The table of engines is built without CUDA: the check calls the method that it checks by its functions.
for source in "$root"/src/core/*.c "$root"/src/core/cpu/cpu.c "$root"/src/core/cpu/scratch.c \
    "$root"/src/core/globe/*.c "$root"/bench/papers/no_proj.c \
    "$root"/gpu/methods/job.c "$root"/gpu/methods/method.c "$root"/gpu/methods/parts.c; do
    case $source in *kernels.c | */last_rung.c) continue ;; esac # below; no_proj.c stands for the other
    cc $flags -c "$source" -o "$folder/$(basename "$source" .c).o"
done
for source in bits_kernels cpu/kernels globe/kernels; do
    cc $flags -O3 -fno-math-errno -fno-trapping-math -DPREDT__BITS_ENTRY=predt__bits_portable \
        -DPREDT__ISA_ENTRY=predt__solve_block_portable -DPREDT__SUBSTRIP_ENTRY=predt__solve_substrip_portable \
        -c "$root/src/core/$source.c" -o "$folder/$(echo $source | tr / _).o"
done
for source in gpu/methods/pr_edt tests/gpu/pr_edt_check; do
    nvcc -std=c++17 -arch="${ARCH:-sm_90}" --fmad=false -O3 -lineinfo -I"$root/include" -I"$root/gpu" \
        -Xcompiler -Wall,-Wextra,-Wshadow=local,-ffp-contract=off -c "$root/$source.cu" -o "$folder/$(basename "$source").o"
done
nvcc -arch="${ARCH:-sm_90}" -cudart static "$folder"/*.o -o "$folder/pr_edt_check" -lpthread -lm
[ -n "${BUILD_ONLY:-}" ] || "$folder/pr_edt_check" "$@"
