#!/bin/sh
# Builds predt_gpu_check into a folder, with nothing but gcc and nvcc:
#     tests/gpu/check.sh FOLDER [ARCHITECTURE] && FOLDER/predt_gpu_check 60 && FOLDER/predt_gpu_check --time
set -eu
out=${1:?usage: tests/gpu/check.sh FOLDER [ARCHITECTURE]}
arch=${2:-sm_90}
root=$(cd "$(dirname "$0")/../.." && pwd)
core=$root/src/core
mkdir -p "$out"
flags="-std=gnu11 -O3 -ffp-contract=off -pthread -I$root/include"

for source in "$core"/*.c "$core/cpu/cpu.c" "$root"/src/methods/*.c; do
    gcc $flags -DPREDT__X86 -c "$source" -o "$out/$(basename "$source" .c).o"
done
gcc $flags -c "$root/tests/gpu/check_patterns.c" -o "$out/check_patterns.o"
kernels="$flags -fno-math-errno -fno-trapping-math"
gcc $kernels -DPREDT__ISA_ENTRY=predt__isa_portable -c "$core/cpu/kernels.c" -o "$out/kernels_portable.o"
gcc $kernels -DPREDT__ISA_ENTRY=predt__isa_avx2 -mavx2 -mbmi -mbmi2 -mpopcnt -mlzcnt -c "$core/cpu/kernels.c" \
    -o "$out/kernels_avx2.o"

nvcc -O3 -std=c++17 --fmad=false -arch="$arch" -I"$root/include" -I"$root/gpu" -Xcompiler -Wall,-Wextra,-Wshadow=local,-pthread \
    "$root/tests/gpu/check.cu" "$root/gpu/solve.cu" "$root/gpu/narrow.cu" "$out"/*.o -o "$out/predt_gpu_check" -lpthread -lm
