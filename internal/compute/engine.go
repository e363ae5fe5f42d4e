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
	// A micro-kernel computes a tile of rows×cols outputs.
	rows, cols int
	// product sets, or increases, the given number of tiles side by side in C by
	// the sums over k of a·b; difference by those of (a−b)².
	// productRow does what product does for the first row alone.
	product    func(c []T, stride int, a, b []T, k, panels int, add bool)
	productRow func(c []T, stride int, a, b []T, k, panels int, add bool)
	difference func(c []T, stride int, a, b []T, k, panels int, add bool)
	// streamed sets tiles as product does, from a B that is not packed: row i is at
	// b[i·step:].
	streamed func(c []T, stride int, a, b []T, step, k, panels int)
	// narrow sets c, narrowRows×lanes, to the sums over k of a·b: row i of A is at
	// a[i·step:], B is a packed panel as wide as a vector.
	narrow func(c, a []T, step int, b []T, k int)
	// transpose sets dst[j·width+i] = src[i·stride+j] − centre[j] for i < 4 and
	// j < n, a multiple of 4.
	transpose func(dst []T, width int, src []T, stride int, centre []T, n int)
	// squares sets dst[i] to the sum of the squares in column i of a panel of k
	// rows; len(dst) is a multiple of 4.
	squares func(dst, panel []T, k int)
	// distances replaces s in row by t − 2s, t = norm + norms, and returns how
	// many it replaced before a vector, of lanes elements, in which one result is
	// not at least least·t; that vector is replaced too.
	distances func(row, norms []T, norm, least T) int
	lanes     int
	// absolute sets element i of each of a number of vectors of c to the sum over k of |a_k−b_ik|,
	// for B in packed panels as wide as a vector, over by.
	absolute func(c, a, b []T, k, panels int, by T)
	// weigh sets out, one element for each row of a tile, to the products of the
	// rows of K with w.
	weigh func(out, k []T, stride int, w []T)

	// Functions of the elements of src, a multiple of quantum of them.
	exp        func(dst, src []T, a, b T) // exp(a·v)
	matern12   func(dst, src []T, a, b T) // with t = a·√v, a ≤ 0: exp(t)
	matern32   func(dst, src []T, a, b T) // (1 − t)·exp(t)
	matern52   func(dst, src []T, a, b T) // (1 − t + t²/3)·exp(t)
	rational   func(dst, src []T, a, b T) // (1 + a·v)^b
	polynomial func(dst, src []T, a, b T, p int)

	// Cosine and sine of src + phase times scale. They return how many elements
	// they did before a vector with an angle beyond their range.
	cosine, sine func(dst, src, phase []T, scale T) int
	wavePair     func(cos, sin, src []T, scale T) int

	// wavePast is wavePair past the caches, for cos and sin that begin at lines of these; fence lets
	// others read what it set.
	wavePast func(cos, sin, src []T, scale T) int
	fence    func()

	// Random numbers from the counters (index…, domain); nil for float32.
	uniforms, normals func(dst []T, seed, domain, index uint64)

	// eliminate sets row, of stripWidth elements, to
	// (row − Σ_i<n coef[i·step]·b[i·stride+…])/pivot; nil for float32.
	eliminate func(row, coef []T, step int, b []T, stride, n int, pivot T)

	// spread subtracts from row k of a packed panel as wide as a vector, for each of k, the sum over
	// i < narrowRows of a[i·step+k]·b_i, for the rows b_i of another; nil for float32.
	spread func(c, a []T, step int, b []T, k int)

	// gather sets c, of gathered elements, to the sum over k of the rows v[k]·b[gathered·at[k]:]
	// of a packed panel, of which c may be one; nil for float32. gathered is a multiple of
	// quantum.
	gather   func(c []T, at []int32, v, b []T)
	gathered int

	buffers [64]sync.Pool // of *[]T, by the binary logarithm of the length, rounded up
	// Those of smallBlock and of sharedBlock elements.
	smallBlocks, blocks sync.Pool
}

// The engines in use, and all that this processor runs, fastest first.
var (
	engines64 = available64()
	engines32 = available32()
	use64     = choose(engines64)
	use32     = choose(engines32)
)

// choose returns the engine that the environment names, or else the fastest.
func choose[T float](all []*engine[T]) *engine[T] {
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

// Buffers are kept by classes of lengths. A large one, of a class from largeClass on, is taken from among
// those up to mostClasses above, where one is free: the largest then serve all. What products pack at a time
// is of no size but smallBlock and sharedBlock elements: to grow with them would leave more behind.
const largeClass, mostClasses, smallBlock = 14, 5, 1 << 17

// buffer returns scratch memory of n elements of any value.
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

// block is buffer for what a product packs of its second factor.
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

// idle returns a buffer of a class that is free, or none.
func (e *engine[T]) idle(class int) (b buffer[T]) {
	b.pool = &e.buffers[class]
	b.home, _ = b.pool.Get().(*[]T)
	return b
}

// newBuffer makes one of so many elements, wherever a cache line begins.
func newBuffer[T float](n int, pool *sync.Pool) buffer[T] {
	var element T
	memory := make([]T, n+lineBytes/int(unsafe.Sizeof(element)))
	return buffer[T]{home: &memory, pool: pool}
}

// cut sets data to n elements from the beginning of a cache line on.
func (b buffer[T]) cut(n int) buffer[T] {
	var element T
	at := uintptr(unsafe.Pointer(unsafe.SliceData(*b.home)))
	skip := int(-at%lineBytes) / int(unsafe.Sizeof(element))
	b.data = (*b.home)[skip : skip+n]
	return b
}

// free gives scratch memory back.
func (b buffer[T]) free() { b.pool.Put(b.home) }
