package testutil

import (
	"fmt"
	"math"
	"runtime"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/kernel"
)

// toyModel is mean + Σ_i a_i·exp(−‖x−x_i‖²/(2·sigma²)).
type toyModel struct {
	fault
	x, a   *mat.Dense
	mean   []float64
	sigma  float64
	seed   uint64
	labels []int
	kernel kernel.Kernel // nil for the Gaussian of sigma

	weights []float64 // of the rows, or nil

	width   []float64 // the options' own, for a fault
	scratch *mat.Dense
	bytes   []byte
}

// scratchLock guards the scratch of all models, for a fault.
var scratchLock sync.Mutex

var toyFormat = codec.Register(codec.Format[toyModel]{Kind: "toy", Decode: decodeToy})

func (m *toyModel) fitted(method string) error {
	return input.Fitted("toy", method, m != nil && m.x != nil)
}

func (m *toyModel) Seed() uint64 {
	if m == nil {
		return 0
	}
	return m.seed
}

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
	if m.kernel != nil {
		return m.kernel.Eval(x, z)
	}
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

func (m *toyModel) weight(i int) float64 {
	if m.weights == nil {
		return 1
	}
	return m.weights[i]
}

// norm returns the largest sum of weights times values of k in a row.
func (m *toyModel) norm(k *mat.Dense) float64 {
	if m.weights == nil {
		return mat.Norm(k, math.Inf(1))
	}
	var weighed mat.Dense
	weighed.Apply(func(_, j int, v float64) float64 { return m.weights[j] * v }, k)
	return mat.Norm(&weighed, math.Inf(1))
}

func (m *toyModel) Predict(x mat.Matrix) (*mat.Dense, error) {
	var dst mat.Dense
	if err := m.PredictTo(&dst, x); err != nil {
		if m != nil && m.fault == "prediction with the error" {
			return &dst, err
		}
		return nil, err
	}
	return &dst, nil
}

func (m *toyModel) PredictTo(dst *mat.Dense, x mat.Matrix) error {
	if err := m.fitted("Predict"); err != nil {
		return err
	}
	_, d := m.x.Dims()
	if m.fault == "scans again" {
		input.Check("toy", "x", x)
	}
	xs, err := input.RowsOf("toy", "x", input.Unweighted(x), d)
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
	if _, err := input.Destination("toy", dst, n, q); err != nil {
		return err
	}
	rows := mat.NewDense(n, d, xs.Data)
	if m.fault == "other values at sparse rows" && input.IsSparse(x) {
		rows.Set(0, 0, rows.At(0, 0)+1e-6)
	}
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

// share stores k in a variable shared by all calls of Predict.
func (m *toyModel) share(k []float64) []float64 {
	scratchLock.Lock()
	m.scratch = mat.NewDense(1, len(k), k)
	scratchLock.Unlock()
	runtime.Gosched()
	scratchLock.Lock()
	defer scratchLock.Unlock()
	return m.scratch.RawRowView(0)
}

func (m *toyModel) MarshalBinary() ([]byte, error) {
	if err := m.fitted("MarshalBinary"); err != nil {
		return nil, err
	}
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
	return codec.Marshal(m.kind(), 1, e.Payload()), nil
}

func (m *toyModel) kind() string {
	if m != nil && m.fault == "not registered" {
		return "unknown toy"
	}
	return "toy"
}

func (m *toyModel) UnmarshalBinary(data []byte) error {
	if m == nil || m.fault == none {
		return toyFormat.Unmarshal(m, data)
	}
	_, payload, err := codec.Unmarshal(data, m.kind())
	switch m.fault {
	case "keeps the bytes":
		m.bytes = data
	case "no checksum":
		if len(data) > 50 {
			return nil
		}
	case "half loaded":
		if err != nil {
			m.mean[0] = 0
		}
	}
	if err != nil {
		return fmt.Errorf("toy: %w", err)
	}
	f, kept := m.fault, m.bytes
	*m = decodeToy(codec.NewDecoder(payload))
	m.fault, m.bytes = f, kept
	return nil
}

func decodeToy(d *codec.Decoder) (m toyModel) {
	x, a := d.Matrix(), d.Matrix()
	m.mean, m.sigma, m.seed = d.Float64s(), d.Finite(), d.Uint64()
	if m.labels = d.Ints(); len(m.labels) == 0 {
		m.labels = nil
	}
	if d.Err() == nil {
		m.x, m.a = mat.NewDense(x.Rows, x.Cols, x.Data), mat.NewDense(a.Rows, a.Cols, a.Data)
	}
	return m
}
