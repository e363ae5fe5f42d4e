package testutil

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"runtime"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/door"
)

// toyModel is mean + Σ_i a_i·exp(−‖x−x_i‖²/(2·sigma²)).
type toyModel struct {
	fault
	x, a   *mat.Dense
	mean   []float64
	sigma  float64
	seed   uint64
	labels []int

	width   []float64  // the options' own, for a fault
	mu      sync.Mutex // of the faults below
	scratch *mat.Dense
	bytes   []byte
}

func (m *toyModel) Seed() uint64 { return m.seed }

// width is the root mean square distance of the rows, or 1.
func width(x *mat.Dense) float64 {
	n, _ := x.Dims()
	sum := 0.0
	for i := range n {
		for j := range n {
			sum += distance(x.RawRowView(i), x.RawRowView(j)) / float64(n*n)
		}
	}
	if sum == 0 {
		return 1
	}
	return math.Sqrt(sum)
}

func distance(x, z []float64) float64 {
	sum := 0.0
	for i, v := range x {
		sum += (v - z[i]) * (v - z[i])
	}
	return sum
}

func (m *toyModel) eval(x, z []float64) float64 {
	sigma := m.sigma
	if m.width != nil {
		sigma = m.width[len(m.width)-1]
	}
	return math.Exp(-distance(x, z) / (2 * sigma * sigma))
}

func (m *toyModel) gram() *mat.Dense {
	n, _ := m.x.Dims()
	k := mat.NewDense(n, n, nil)
	k.Apply(func(i, j int, _ float64) float64 { return m.eval(m.x.RawRowView(i), m.x.RawRowView(j)) }, k)
	if m.fault == "inverts the Gram matrix" {
		k.Inverse(k)
	}
	return k
}

func (m *toyModel) Predict(x mat.Matrix) (*mat.Dense, error) {
	var dst mat.Dense
	if err := m.PredictTo(&dst, x); err != nil {
		if m.fault == "prediction with the error" {
			return &dst, err
		}
		return nil, err
	}
	return &dst, nil
}

func (m *toyModel) PredictTo(dst *mat.Dense, x mat.Matrix) error {
	_, d := m.x.Dims()
	xs, err := door.RowsOf("toy", "x", x, d)
	if err != nil {
		if m.fault == "destination first" && dst.IsEmpty() {
			dst.ReuseAs(1, 1)
		}
		return err
	}
	n, q := xs.Rows, len(m.mean)
	if m.fault == "writes to x" {
		x.(*mat.Dense).Set(0, 0, 0)
	}
	if dst.IsEmpty() {
		dst.ReuseAs(n, q)
	} else if r, c := dst.Dims(); r != n || c != q {
		return fmt.Errorf("toy: dst is %d×%d: %w", r, c, rkhs.ErrShape)
	}
	rows := mat.NewDense(n, d, xs.Data)
	if m.fault == "centres the batch" {
		first := mat.Row(nil, 0, rows)
		rows.Apply(func(_, j int, v float64) float64 { return v - 1e-9*first[j] }, rows)
	}
	m.rows(dst, rows)
	return nil
}

// rows predicts row by row.
func (m *toyModel) rows(dst, x *mat.Dense) {
	n, _ := x.Dims()
	state := 0.0
	for i := range n {
		p := m.row(x.RawRowView(i))
		for o, v := range p {
			switch m.fault {
			case "remembers the row before":
				v += 1e-12 * state
				state = v
			case "adds to the destination":
				v += dst.At(i, o)
			}
			if m.labels != nil {
				v = float64(m.labels[sign(v)])
			}
			dst.Set(i, o, v)
		}
	}
}

func sign(v float64) int {
	if v > 0 {
		return 1
	}
	return 0
}

func (m *toyModel) row(x []float64) []float64 {
	k := make([]float64, 0, m.a.RawMatrix().Rows)
	sum := 0.0
	for i := range cap(k) {
		k = append(k, m.eval(x, m.x.RawRowView(i)))
		sum += k[i]
	}
	if m.fault == "scratch" {
		k = m.share(k)
	}
	p := append([]float64(nil), m.mean...)
	for o := range p {
		for i, v := range k {
			if m.fault == "fixed bandwidth" {
				v /= sum
			}
			p[o] += v * m.a.At(i, o)
		}
	}
	return p
}

// share leaves k where every call of Predict leaves it.
func (m *toyModel) share(k []float64) []float64 {
	m.mu.Lock()
	m.scratch = mat.NewDense(1, len(k), k)
	m.mu.Unlock()
	runtime.Gosched()
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.scratch.RawRowView(0)
}

func (m *toyModel) MarshalBinary() ([]byte, error) {
	if m.bytes != nil {
		return m.bytes, nil
	}
	var e codec.Encoder
	e.Matrix(m.x.RawMatrix())
	e.Matrix(m.a.RawMatrix())
	if m.fault == "mean lost" {
		e.Float64s(make([]float64, len(m.mean)))
	} else {
		e.Float64s(m.mean)
	}
	e.Float64(m.sigma)
	e.Uint64(m.seed)
	e.Ints(m.labels)
	return codec.Marshal("toy", 1, e.Payload()), nil
}

func (m *toyModel) UnmarshalBinary(data []byte) error {
	_, payload, err := codec.Unmarshal(data, "toy")
	if m.fault == "keeps the bytes" {
		m.bytes = data
	}
	return m.load(payload, err)
}

func (m *toyModel) WriteTo(w io.Writer) (int64, error) {
	data, err := m.MarshalBinary()
	if err != nil {
		return 0, err
	}
	n, err := w.Write(data)
	if m.fault == "counts nothing" {
		n = 0
	}
	return int64(n), err
}

func (m *toyModel) ReadFrom(r io.Reader) (int64, error) {
	if m.fault == "reads ahead" {
		r = bufio.NewReader(r)
	}
	_, payload, n, err := codec.Read(r, "toy")
	if m.fault == "no checksum" && n > 50 {
		return n, nil
	}
	return n, m.load(payload, err)
}

func (m *toyModel) load(payload []byte, err error) error {
	if err != nil {
		if m.fault == "half loaded" {
			m.mean[0] = 0
		}
		return fmt.Errorf("toy: %w", err)
	}
	d := codec.NewDecoder(payload)
	x, a := d.Matrix(), d.Matrix()
	m.x, m.a = mat.NewDense(x.Rows, x.Cols, x.Data), mat.NewDense(a.Rows, a.Cols, a.Data)
	m.mean, m.sigma, m.seed = d.Float64s(), d.Finite(), d.Uint64()
	if m.labels = d.Ints(); len(m.labels) == 0 {
		m.labels = nil
	}
	return d.Close()
}
