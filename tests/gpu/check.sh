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

for source in "$core"/*.c "$core/cpu/cpu.c" "$core/cpu/scratch.c"; do
    [ "$source" != "$core/bits_kernels.c" ] || continue # below, once for each instruction set
    gcc $flags -DPREDT__X86 -c "$source" -o "$out/$(basename "$source" .c).o"
done
gcc $flags -c "$root/tests/gpu/check_patterns.c" -o "$out/check_patterns.o"
kernels="$flags -fno-math-errno -fno-trapping-math"
for source in bits_kernels cpu/kernels; do
    for isa in portable avx2; do
        options="-DPREDT__BITS_ENTRY=predt__bits_$isa -DPREDT__ISA_ENTRY=predt__solve_block_$isa"
        [ $isa = portable ] || options="$options -mavx2 -mbmi -mbmi2 -mpopcnt -mlzcnt"
        gcc $kernels $options -c "$core/$source.c" -o "$out/$(basename $source)_$isa.o"
    done
done

nvcc -O3 -std=c++17 --fmad=false -arch="$arch" -I"$root/include" -I"$root/gpu" -Xcompiler -Wall,-Wextra,-Wshadow=local,-pthread \
    "$root/tests/gpu/check.cu" "$root/gpu/solve.cu" "$root/gpu/narrow.cu" "$out"/*.o -o "$out/predt_gpu_check" -lpthread -lm
