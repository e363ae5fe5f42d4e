package compute

import (
	"math/bits"
	"os"
	"sync"
	"unsafe"
)

// An engine is one implementation of the inner loops for one element type.
// Panels are packed blocks of rows: panel[j·width + i] is element j of row i.
type engine[T float] struct {
	name string
	// The size of an output tile of a micro-kernel.
	rows, cols int
	// product sets adjacent tiles of C to the sums over k of a·b, or adds them if add is
	// true. difference does the same with (a−b)². productRow is product for the first
	// row only.
	product    func(c []T, stride int, a, b []T, k, panels int, add bool)
	productRow func(c []T, stride int, a, b []T, k, panels int, add bool)
	difference func(c []T, stride int, a, b []T, k, panels int, add bool)
	// streamed sets tiles as product does, from an unpacked B with row i at b[i·step:].
	streamed func(c []T, stride int, a, b []T, step, k, panels int)
	// narrow sets c, narrowRows×lanes, to the sums over k of a·b. Row i of A is at
	// a[i·step:]; B is a packed panel of vector width.
	narrow func(c, a []T, step int, b []T, k int)
	// transpose sets dst[j·width+i] = src[i·stride+j] − centre[j] for i < 4 and
	// j < n, a multiple of 4.
	transpose func(dst []T, width int, src []T, stride int, centre []T, n int)
	// squares sets dst[i] to the sum of squares of column i of a panel of k rows. len(dst)
	// is a multiple of 4.
	squares func(dst, panel []T, k int)
	// distances replaces each s in row by t − 2s with t = norm + norms. It stops after
	// the first vector of lanes elements that contains a result below least·t. It returns
	// the number of elements before that vector.
	distances func(row, norms []T, norm, least T) int
	lanes     int
	// absolute sets elements of c to Σ_k |a_k−b_ik|/by. B is stored in packed panels of
	// vector width.
	absolute func(c, a, b []T, k, panels int, by T)
	// weigh sets out, one element per tile row, to the products of the rows of K with w.
	weigh func(out, k []T, stride int, w []T)

	// Elementwise functions of v in src. The length is a multiple of quantum.
	exp        func(dst, src []T, a, b T) // exp(a·v)
	matern12   func(dst, src []T, a, b T) // with t = a·√v, a ≤ 0: exp(t)
	matern32   func(dst, src []T, a, b T) // (1 − t)·exp(t)
	matern52   func(dst, src []T, a, b T) // (1 − t + t²/3)·exp(t)
	rational   func(dst, src []T, a, b T) // (1 + a·v)^b
	polynomial func(dst, src []T, a, b T, p int)

	// Scaled cosine and sine of src + phase. They return the number of elements before
	// the first vector that contains an angle out of range.
	cosine, sine func(dst, src, phase []T, scale T) int
	wavePair     func(cos, sin, src []T, scale T) int

	// wavePast is wavePair with non-temporal stores. cos and sin must start at a cache
	// line. fence makes the stores visible to other goroutines.
	wavePast func(cos, sin, src []T, scale T) int
	fence    func()

	// Random numbers from the counters (index…, domain); nil for float32.
	uniforms, normals func(dst []T, seed, domain, index uint64)

	// eliminate sets row, of stripWidth elements, to
	// (row − Σ_i<n coef[i·step]·b[i·stride+…])/pivot; nil for float32.
	eliminate func(row, coef []T, step int, b []T, stride, n int, pivot T)

	// spread subtracts Σ_i a[i·step+j]·b_i, i < narrowRows, from each row j < k of a packed
	// panel of vector width. b_i are the rows of another panel. Nil for float32.
	spread func(c, a []T, step int, b []T, k int)

	// gather sets c, of gathered elements, to Σ_k v[k]·b[gathered·at[k]:]. c may be a row
	// of the packed panel b. gathered is a multiple of quantum. Nil for float32.
	gather   func(c []T, at []int32, v, b []T)
	gathered int

	buffers [64]sync.Pool // of *[]T, by ⌈log₂(length)⌉
	// Buffers of smallBlock and of sharedBlock elements.
	smallBlocks, blocks sync.Pool
}

// The engines that this processor supports, fastest first, and the selected engines.
var (
	engines64 = available64()
	engines32 = available32()
	use64     = selectEngine(engines64)
	use32     = selectEngine(engines32)
)

// selectEngine returns the engine named by RKHS_COMPUTE, or the fastest if there is no match.
func selectEngine[T float](all []*engine[T]) *engine[T] {
	for _, e := range all {
		if e.name == os.Getenv("RKHS_COMPUTE") {
			return e
		}
	}
	return all[0]
}

// A buffer is scratch memory of a pool, aligned to a cache line.
type buffer[T float] struct {
	data []T
	home *[]T
	pool *sync.Pool
}

// Buffers are pooled by length class, a power of two. From largeClass on, a request
// may also reuse an idle buffer up to mostClasses classes larger. Packed factors of
// products have two fixed sizes, smallBlock and sharedBlock, so that growing problems
// do not leave a buffer of each size in the pools.
const largeClass, mostClasses, smallBlock = 14, 5, 1 << 17

// buffer returns uninitialized scratch memory of n elements.
func (e *engine[T]) buffer(n int) buffer[T] {
	class := bits.Len(uint(max(n, 1) - 1))
	b := e.idle(class)
	for more := 1; b.home == nil && class >= largeClass && more <= mostClasses; more++ {
		b = e.idle(class + more)
	}
	if b.home == nil {
		b = newBuffer[T](1<<class, &e.buffers[class])
	}
	return b.cut(n)
}

// block is buffer for the packed second factor of a product.
func (e *engine[T]) block(n int) buffer[T] {
	size, pool := smallBlock, &e.smallBlocks
	switch {
	case n <= 1<<largeClass || n > sharedBlock:
		return e.buffer(n)
	case n > smallBlock:
		size, pool = sharedBlock, &e.blocks
	}
	b := buffer[T]{pool: pool}
	if b.home, _ = pool.Get().(*[]T); b.home == nil {
		b = newBuffer[T](size, pool)
	}
	return b.cut(n)
}

// idle returns a free buffer of a class. Its home is nil if the pool is empty.
func (e *engine[T]) idle(class int) (b buffer[T]) {
	b.pool = &e.buffers[class]
	b.home, _ = b.pool.Get().(*[]T)
	return b
}

// newBuffer allocates n elements and the padding for alignment.
func newBuffer[T float](n int, pool *sync.Pool) buffer[T] {
	var element T
	memory := make([]T, n+lineBytes/int(unsafe.Sizeof(element)))
	return buffer[T]{home: &memory, pool: pool}
}

// cut sets data to n elements that start at a cache line.
func (b buffer[T]) cut(n int) buffer[T] {
	var element T
	at := uintptr(unsafe.Pointer(unsafe.SliceData(*b.home)))
	skip := int(-at%lineBytes) / int(unsafe.Sizeof(element))
	b.data = (*b.home)[skip : skip+n]
	return b
}

// free returns the buffer to its pool.
func (b buffer[T]) free() { b.pool.Put(b.home) }
