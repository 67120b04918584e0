#!/bin/sh
# Builds what bench/papers measures with into a folder, with nothing but gcc and, where it is found, nvcc: for a machine
# without CMake or GDAL.
#
#     bench/papers/build.sh FOLDER [ARCHITECTURE] && python3 bench/papers --programs FOLDER
#
# NVCC names another nvcc, or none at all if it is empty; CFLAGS are added to gcc's options.
set -eu
out=${1:?usage: bench/papers/build.sh FOLDER [ARCHITECTURE]}
arch=${2:-sm_90}
root=$(cd "$(dirname "$0")/../.." && pwd)
core=$root/src/core
mkdir -p "$out/objects"
rm -f "$out"/objects/*.o
flags="-std=gnu11 -O3 -Wall -Wextra -ffp-contract=off -pthread -I$root/include -I$root ${CFLAGS:-}"
[ "$(uname -m)" != x86_64 ] || flags="$flags -DPREDT__X86"

# compile COMMAND OBJECT SOURCE: in the background.
compile() {
    $1 -c "$3" -o "$out/objects/$2.o" &
    started="$started $!"
}
finish() {
    for child in $started; do wait "$child"; done
    started=
}
started=

nvcc=${NVCC-$(command -v nvcc || true)}
[ -z "$nvcc" ] || flags="$flags -DPREDT__CUDA -I$(dirname "$(dirname "$(readlink -f "$nvcc")")")/include"
for source in "$core"/*.c "$core"/cpu/cpu.c "$core"/cpu/scratch.c "$core"/globe/*.c "$root"/src/methods/*.c \
    "$root"/bench/papers/no_proj.c; do
    case $source in
    *kernels.c) ;; # below, once for each instruction set
    */no_methods.c | */last_rung.c) ;; # src/methods/table.c and no_proj.c stand for them
    *) compile "gcc $flags" "core_$(basename "$source" .c)" "$source" ;;
    esac
done
kernels="gcc $flags -fno-math-errno -fno-trapping-math"
avx2="-mavx2 -mbmi -mbmi2 -mpopcnt -mlzcnt"
avx512="$avx2 -mavx512f -mavx512dq -mavx512bw -mavx512vl -mavx512cd -mprefer-vector-width=512"
for isa in portable avx2 avx512; do
    case $isa-$(uname -m) in
    portable-*) options= ;;
    avx2-x86_64) options=$avx2 ;;
    avx512-x86_64) options=$avx512 ;;
    *) continue ;;
    esac
    compile "$kernels -ffp-contract=fast -DPREDT__SUBSTRIP_ENTRY=predt__solve_substrip_$isa $options ${options:+-mfma}" \
        "globe_kernels_$isa" "$core/globe/kernels.c"
    [ $isa != avx512 ] || continue
    for source in bits_kernels cpu/kernels; do
        compile "$kernels -DPREDT__BITS_ENTRY=predt__bits_$isa -DPREDT__ISA_ENTRY=predt__solve_block_$isa $options" \
            "$(basename $source)_$isa" "$core/$source.c"
    done
done
link="gcc -pthread"
if [ -n "$nvcc" ]; then
    cuda="$nvcc -std=c++17 -O3 --fmad=false -arch=$arch -I$root/include -Xcompiler -Wall,-Wextra,-ffp-contract=off"
    for source in "$root"/gpu/*.c "$root"/gpu/*.cu "$root"/gpu/methods/*.c "$root"/gpu/methods/*.cu; do
        name=$(echo "${source#"$root"/}" | tr / _)
        case $source in
        *check* | *'*'*) ;; # programs of their own; a folder without such files
        *.c) compile "gcc $flags" "$name" "$source" ;;
        *) compile "$cuda" "$name" "$source" ;;
        esac
    done
    link="$nvcc -arch=$arch -cudart static -Xcompiler -pthread"
fi
finish
gcc $flags -c "$root/bench/engines.c" -o "$out/engines.o"
$link "$out/engines.o" "$out"/objects/*.o -o "$out/predt_engine_bench" -lm
[ -n "$nvcc" ] || exit 0
for source in gpu gpu_raster; do gcc $flags -c "$root/bench/$source.c" -o "$out/$source.o"; done
$link "$out/gpu.o" "$out/gpu_raster.o" "$out"/objects/*.o -o "$out/predt_gpu_bench" -lm
