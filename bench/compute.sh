#!/bin/sh
# Compares internal/compute with scikit-learn (python3-sklearn) and numpy, which uses its own BLAS
# (Debian: libopenblas0-pthread, python3-threadpoolctl). The two sides alternate, and the times are
# the least of several runs. A ratio above 1 means that Go is faster. The first line names the kernel
# of OpenBLAS. If OpenBLAS does not recognise a processor with AVX-512, the script selects SkylakeX:
# its fallback is four times slower.
#
#	bench/compute.sh [rounds [pattern]]
#
# The pattern selects benchmarks of internal/compute, as in go test -bench. On a busy machine set
# BENCH_CLOCK=cpu to compare processor time on one thread.
set -eu
cd "$(dirname "$0")/.."
rounds=${1:-2}
pattern=${2:-.}
python=${PYTHON:-/usr/bin/python3}
skip='^$'
counts="1 2"
if [ "${BENCH_CLOCK:-}" = cpu ]; then
	skip='//threads=2|///threads=2'
	counts=1
fi

# openblas_kernel prints the kernel that OpenBLAS uses, such as SkylakeX or Haswell.
openblas_kernel() {
	"$python" -c 'import numpy, threadpoolctl
print(*sorted({i["architecture"] for i in threadpoolctl.threadpool_info() if "architecture" in i}))'
}
kernel=$(openblas_kernel)
case $kernel in
*SkylakeX* | *Cooperlake* | *Sapphire*) ;;
*)
	if [ -z "${OPENBLAS_CORETYPE:-}" ] && grep -q avx512f /proc/cpuinfo; then
		export OPENBLAS_CORETYPE=SkylakeX
		kernel="$(openblas_kernel) by OPENBLAS_CORETYPE, $kernel without it"
	fi
	;;
esac
echo "OpenBLAS kernel: $kernel"

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
go test -c -o "$dir/compute.test" ./internal/compute
for round in $(seq "$rounds"); do
	"$dir/compute.test" -test.run '^$' -test.bench "$pattern" -test.skip "$skip" -test.benchtime 0.5s >>"$dir/go"
	for threads in $counts; do
		OPENBLAS_NUM_THREADS=$threads OMP_NUM_THREADS=$threads "$python" bench/compute.py >>"$dir/python"
	done
done
awk '
function least(table, name, value) {
	if (!(name in table) || value < table[name]) table[name] = value
}
FILENAME ~ /python$/ { least(theirs, $1, $2); next }
/^Benchmark/ {
	name = substr($1, 10)
	sub(/-[0-9]+$/, "", name)
	if (!(name in ours)) order[++n] = name
	for (i = 2; i < NF; i++) if ($(i + 1) == "least-ns") least(ours, name, $i / 1e9)
}
function show(name, mine, other, reference) {
	printf "%-34s %10.4g %10.4g %7.2f  %s\n", name, mine, other, other / mine, reference
}
END {
	printf "%-34s %10s %10s %7s\n", "", "seconds", "theirs", "ratio"
	for (i = 1; i <= n; i++) {
		name = order[i]
		if (name in theirs) show(name, ours[name], theirs[name], "numpy, scikit-learn")
		double = name
		if (sub(/^Gaussian32/, "Gaussian", double)) show(name, ours[name], ours[double], "double precision")
		if (sub(/^FourierPairs/, "Fourier", double)) show(name, ours[name], theirs[double], "scikit-learn, as many cosines")
	}
	if ("NormalsRand" in ours) show("Normals", ours["Normals"], ours["NormalsRand"], "math/rand/v2")
}' "$dir/python" "$dir/go"
