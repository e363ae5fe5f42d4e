package learn

import (
	"encoding/binary"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// sums are the means of columns v = (z, y) of rows and the second moments about them,
//
//	Σ w·(v − mean)(v − mean)ᵀ.
//
// They are accurate for columns with a large offset and merge by the formula of Chan, Golub
// and LeVeque.
type sums struct {
	rows   int64
	weight float64
	mean   []float64
	moment compute.Matrix // upper triangle
}

func newSums(columns int) *sums {
	return &sums{mean: make([]float64, columns), moment: compute.NewMatrix(columns, columns)}
}

// add adds rows v with their weights, or nil, and overwrites them. O(n·D²/2).
func (s *sums) add(v compute.Matrix, weights compute.Weights) {
	mean := make([]float64, v.Cols)
	total := weights.Total(v.Rows)
	for i := range v.Rows {
		blas64.Axpy(weights.At(i)/total, compute.RowVector(v, i), compute.Vector(mean))
	}
	for i := range v.Rows {
		blas64.Axpy(-1, compute.Vector(mean), compute.RowVector(v, i))
	}
	weights.ScaleByRoots(v)
	compute.AddGram(s.moment, v, 0)
	apart, scale := s.shift(int64(v.Rows), total, mean)
	for i, a := range apart {
		blas64.Axpy(scale*a, compute.Vector(apart[i:]), compute.Vector(compute.Row(s.moment, i)[i:]))
	}
}

// shift updates the means for further rows. It returns the distance between the two means
// and the weight of its square in the moments.
func (s *sums) shift(rows int64, weight float64, mean []float64) (apart []float64, scale float64) {
	share := weight / (s.weight + weight)
	scale = s.weight * share
	apart = make([]float64, len(mean))
	for j, m := range mean {
		apart[j] = m - s.mean[j]
		s.mean[j] += share * apart[j]
	}
	s.rows, s.weight = s.rows+rows, s.weight+weight
	return apart, scale
}

// tile is a block of the moments with the data needed to merge it. Elements therefore stay
// small for any number of columns.
type tile struct {
	Rows   int64
	Weight float64
	Of     [2][]float64 // means of the variables of its rows and of its columns
	Moment []float64    // row-major
}

// tiles calls do for each tile of size columns on and above the diagonal, with its number.
func (s *sums) tiles(size int, do func(number int, t tile)) {
	count := (len(s.mean) + size - 1) / size
	for i := range count {
		for j := i; j < count; j++ {
			a, b := i*size, j*size
			c, d := min(a+size, len(s.mean)), min(b+size, len(s.mean))
			block := compute.Clone(compute.Columns(compute.Rows(s.moment, a, c), b, d))
			do(i*count+j, tile{s.rows, s.weight, [2][]float64{s.mean[a:c], s.mean[b:d]}, block.Data})
		}
	}
}

// merge adds a tile of other rows.
func (t tile) merge(u tile) (tile, error) {
	if t.Rows == 0 {
		return u, nil
	}
	if u.Rows == 0 {
		return t, nil
	}
	if len(t.Of[0]) != len(u.Of[0]) || len(t.Of[1]) != len(u.Of[1]) {
		return t, fmt.Errorf("learn: tiles of %d×%d and %d×%d: %w", len(t.Of[0]), len(t.Of[1]), len(u.Of[0]), len(u.Of[1]), rkhs.ErrShape)
	}
	share := u.Weight / (t.Weight + u.Weight)
	var apart, mean [2][]float64
	for side := range mean {
		apart[side], mean[side] = make([]float64, len(t.Of[side])), make([]float64, len(t.Of[side]))
		for j, m := range t.Of[side] {
			apart[side][j] = u.Of[side][j] - m
			mean[side][j] = m + share*apart[side][j]
		}
	}
	n := len(mean[1])
	for i, a := range apart[0] {
		row := t.Moment[i*n : (i+1)*n]
		for j, v := range u.Moment[i*n : (i+1)*n] {
			row[j] += v + t.Weight*share*a*apart[1][j]
		}
	}
	return tile{t.Rows + u.Rows, t.Weight + u.Weight, mean, t.Moment}, nil
}

// put stores a tile in the moments, and the means of its columns.
func (s *sums) put(number, size int, t tile) error {
	count := (len(s.mean) + size - 1) / size
	i, j := number/count, number%count
	a, b := i*size, j*size
	if number < 0 || i >= count || a+len(t.Of[0]) > len(s.mean) || b+len(t.Of[1]) > len(s.mean) {
		return fmt.Errorf("learn: tile %d of %d columns: %w", number, len(s.mean), rkhs.ErrFormat)
	}
	s.rows, s.weight = t.Rows, t.Weight
	copy(s.mean[a:], t.Of[0])
	copy(s.mean[b:], t.Of[1])
	n := len(t.Of[1])
	for r := range t.Of[0] {
		copy(compute.Row(s.moment, a+r)[b:b+n], t.Moment[r*n:(r+1)*n])
	}
	return nil
}

// encodeTile encodes 8-byte little-endian numbers.
func encodeTile(t tile) []byte {
	buf := make([]byte, 0, 32+8*(len(t.Of[0])+len(t.Of[1])+len(t.Moment)))
	for _, v := range []uint64{uint64(t.Rows), math.Float64bits(t.Weight), uint64(len(t.Of[0])), uint64(len(t.Of[1]))} {
		buf = binary.LittleEndian.AppendUint64(buf, v)
	}
	for _, list := range [][]float64{t.Of[0], t.Of[1], t.Moment} {
		for _, v := range list {
			buf = binary.LittleEndian.AppendUint64(buf, math.Float64bits(v))
		}
	}
	return buf
}

// decodeTile returns an error that wraps rkhs.ErrFormat for invalid data.
func decodeTile(data []byte) (t tile, err error) {
	bad := fmt.Errorf("learn: %d bytes of a tile: %w", len(data), rkhs.ErrFormat)
	if len(data) < 32 || len(data)%8 != 0 {
		return t, bad
	}
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(data[8*i:]) }
	left := uint64(len(data)/8 - 4)
	a, b := word(2), word(3)
	if a > left || b > left || a*b+a+b != left { // a, b < 2³² for data of any possible length
		return t, bad
	}
	at := 4
	list := func(n uint64) []float64 {
		v := make([]float64, n)
		for i := range v {
			v[i] = math.Float64frombits(word(at))
			if v[i]-v[i] != 0 {
				err = bad
			}
			at++
		}
		return v
	}
	t = tile{Rows: int64(word(0)), Weight: math.Float64frombits(word(1)), Of: [2][]float64{list(a), list(b)}, Moment: list(a * b)}
	if t.Rows < 0 || !(t.Weight >= 0) || math.IsInf(t.Weight, 1) || t.Rows > 0 && t.Weight == 0 {
		err = bad
	}
	return t, err
}
