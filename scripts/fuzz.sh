#!/bin/bash
# Runs the fuzzers under clang's libFuzzer, all at once: scripts/fuzz.sh [SECONDS [TARGET...]]. SECONDS are 60 if they are not
# given; targets are the folders of tests/fuzz/corpus. What they find lies in build-fuzz/found: a log for each, and the inputs
# that crash, hang or leak. Fails if there are such inputs. PREDT_FUZZ_BUILD names another folder than build-fuzz.
set -eu
. "$(dirname "$0")/common.sh"
build=${PREDT_FUZZ_BUILD:-$root/build-fuzz}
found=$build/found
seconds=${1:-60}
shift || true
targets=${*:-$(ls "$root/tests/fuzz/corpus")}

clang=$(command -v clang || command -v clang-14 || true)
if [ -z "$clang" ]; then
    echo "There is no clang. On Debian: apt-get install clang libclang-rt-14-dev" >&2
    exit 1
fi
mkdir -p "$found"
log=$build/build.log
CC=$clang CXX=$(dirname "$clang")/$(basename "$clang" | sed 's/clang/clang++/') cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo \
    -DPREDT_CUDA=OFF -DPREDT_FUZZ=ON > "$log" 2>&1 || { cat "$log" >&2; exit 1; }
cmake --build "$build" --target fuzzers --parallel "$(nproc)" >> "$log" 2>&1 || { tail -40 "$log" >&2; exit 1; }

# What GDAL itself leaks in files that it cannot read is not looked for.
run() {
    local target=$1 corpus=$build/corpus/$1 dictionary=$root/tests/fuzz/$1.dict
    mkdir -p "$corpus"
    exec "$build/tests/fuzz/fuzz_${target}_run" -max_total_time="$seconds" -timeout=60 -rss_limit_mb=3000 -close_fd_mask=3 \
        -detect_leaks=0 -print_final_stats=1 -artifact_prefix="$found/$target-" \
        $([ -e "$dictionary" ] && echo "-dict=$dictionary") "$corpus" "$root/tests/fuzz/corpus/$target"
}

for target in $targets; do
    rm -f "$found/$target"-*
    run "$target" > "$found/$target.log" 2>&1 &
done
wait

status=0
for target in $targets; do
    crashes=$(ls "$found" | grep -c "^$target-" || true)
    executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$found/$target.log" | tail -1)
    echo "$target: ${executions:-?} executions in $seconds s, $crashes findings"
    [ "$crashes" -eq 0 ] && [ -n "$executions" ] || { status=1; tail -30 "$found/$target.log"; }
done
exit $status
