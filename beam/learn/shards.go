package learn

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/beam/rows"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

func init() {
	register.DoFn4x1[context.Context, []byte, func(*Statistics) bool, func([]byte), error](&shardBegin{})
	register.DoFn3x1[context.Context, rows.Batch, func(int, dealt), error](&deal{})
	register.DoFn5x1[context.Context, int, func(*dealt) bool, func(*[]byte) bool, func(int, []byte), error](&shardFit{})
	register.DoFn4x1[context.Context, int, func(*[]byte) bool, func(int, []byte), error](&shardMerge{})
	register.DoFn5x1[context.Context, int, func(*[]byte) bool, func(*[]byte) bool, func([]byte), error](&demand{})
	register.DoFn2x0[[]byte, func(int, []byte)](&spread{})
	register.Function2x1(unnumbered)
	register.Emitter2[int, dealt]()
	register.Emitter2[int, []byte]()
	register.Iter1[dealt]()
	register.Function1x1(encodeDealt)
	register.Function1x2(decodeDealt)
	beam.RegisterCoder(reflect.TypeOf(dealt{}), encodeDealt, decodeDealt)
}

// byShards returns a method for a learner that needs its rows in memory. It assigns rows to
// shards by their numbers, which are random regardless of file order. It fits each shard and
// merges the models in shard order, mergers at a time. All shards share a kernel, a loss and
// a ridge (for all rows) from one fit to the sample.
func byShards(name string, of shardLearner, seed uint64) *Method {
	learn := func(s beam.Scope, batches beam.PCollection, p planned) beam.PCollection {
		pieces := beam.ParDo(s, &deal{Shards: of.Shards, Seed: seed}, batches)
		models := beam.ParDo(s, &shardFit{Of: of}, withFile(s, of.Shards, pieces, p.file))
		for range 2 { // at most mergers² shards
			models = beam.ParDo(s, &shardMerge{Of: of}, beam.GroupByKey(s, models))
		}
		model := needed(s, beam.ParDo(s, unnumbered, models))
		for range of.Rounds {
			model = round(s, of, pieces, model)
		}
		return model
	}
	return &Method{name, &shardBegin{Of: of}, learn}
}

// needed fails the pipeline if file is empty, which happens if no row has positive weight.
func needed(s beam.Scope, file beam.PCollection) beam.PCollection {
	return beam.ParDo(s, &demand{}, beam.CoGroupByKey(s, beam.ParDo(s, atZero, beam.Impulse(s)), beam.ParDo(s, atZero, file)))
}

// demand emits a file, or fails.
type demand struct{}

// ProcessElement implements the DoFn. Beam calls it exactly once.
func (*demand) ProcessElement(_ context.Context, _ int, _, files func(*[]byte) bool, emit func([]byte)) error {
	file, err := only(files)
	if err == nil {
		emit(file)
	}
	return err
}

// withFile groups the rows of each shard with the file that all shards need. Prism would
// request a side input repeatedly while the step that makes it runs.
func withFile(s beam.Scope, shards int, pieces, file beam.PCollection) beam.PCollection {
	return beam.CoGroupByKey(s, pieces, beam.ParDo(s, &spread{Shards: shards}, file))
}

// spread emits a file for each shard.
type spread struct{ Shards int }

// ProcessElement implements the DoFn.
func (f *spread) ProcessElement(file []byte, emit func(int, []byte)) {
	for k := range f.Shards {
		emit(k, file)
	}
}

// shardLearner configures a learner by shards. Beam sends it to workers as JSON.
type shardLearner struct {
	DoublySGD bool   // polk if false
	Classes   bool   // regression if false
	Options   []byte // JSON, without the shared parameters
	Given     found  // shared parameters given by the user
	Shards    int
	Rounds    int // for doublysgd
}

// learner is a learner with its options.
type learner interface {
	// fit fits rows.
	fit(ctx context.Context, x, y mat.Matrix) (model marshaler, err error)
	// selected returns the kernel and the ridge of a model.
	selected(model marshaler) (k kernel.Kernel, ridge float64)
	// merge merges files of models.
	merge(files [][]byte) (model marshaler, err error)
}

// learner returns the learner with the shared parameters s.
func (o *shardLearner) learner(s start) (learner, error) {
	if o.DoublySGD {
		l := doublySGDShards{classes: o.Classes}
		err := json.Unmarshal(o.Options, &l.Options)
		l.begin(s)
		return l, err
	}
	l := polkShards{classes: o.Classes}
	err := json.Unmarshal(o.Options, &l.PolkOptions)
	l.begin(s)
	return l, err
}

// newByShards returns a method for a learner with valid options. options excludes the given
// shared parameters.
func newByShards(name string, of shardLearner, shards int, seed uint64, given start, options any) (*Method, error) {
	if shards < 0 || shards > mergers*mergers {
		return nil, fmt.Errorf("learn: option Shards = %d, at most %d: %w", shards, mergers*mergers, rkhs.ErrOption)
	}
	of.Shards = cmp.Or(shards, defaultShards)
	var err error
	if of.Given, err = given.keep(); err != nil {
		return nil, err
	}
	if of.Options, err = json.Marshal(options); err != nil {
		return nil, fmt.Errorf("learn: options: %v: %w", err, rkhs.ErrOption)
	}
	return byShards(name, of, seed), nil
}

// optionError returns an error of fit if it wraps rkhs.ErrOption. It passes a cancelled context:
// learners check options first, so no fit runs.
func optionError(fit func(ctx context.Context, x, y mat.Matrix) (marshaler, error)) error {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	rows := mat.NewDense(2, 1, []float64{0, 1})
	if _, err := fit(ctx, rows, rows); errors.Is(err, rkhs.ErrOption) {
		return fmt.Errorf("learn: %w", err)
	}
	return nil
}

// found holds the shared parameters of the shards.
type found struct {
	Kernel, Loss []byte // files
	Ridge        float64
	Features     int // default for doublysgd
}

// start is found after decoding.
type start struct {
	kernel   kernel.Kernel
	loss     loss.Loss // nil for the default of the learner
	ridge    float64
	features int
}

func (f found) open() (s start, err error) {
	s.ridge, s.features = f.Ridge, f.Features
	if f.Kernel != nil {
		if s.kernel, err = kernel.Unmarshal(f.Kernel); err != nil {
			return s, fmt.Errorf("learn: %w", err)
		}
	}
	if f.Loss != nil {
		if s.loss, err = loss.Unmarshal(f.Loss); err != nil {
			return s, fmt.Errorf("learn: %w", err)
		}
	}
	return s, nil
}

// keep is the inverse of open.
func (s start) keep() (f found, err error) {
	f.Ridge, f.Features = s.ridge, s.features
	if s.kernel != nil {
		if f.Kernel, err = kernel.Marshal(s.kernel); err != nil {
			return f, fmt.Errorf("learn: %w", err)
		}
	}
	if s.loss != nil {
		if f.Loss, err = loss.Marshal(s.loss); err != nil {
			return f, fmt.Errorf("learn: %w", err)
		}
	}
	return f, nil
}

// shardBegin finds the shared parameters by a fit to the sample.
type shardBegin struct{ Of shardLearner }

// ProcessElement implements the DoFn.
func (f *shardBegin) ProcessElement(ctx context.Context, _ []byte, statistics func(*Statistics) bool, emit func([]byte)) error {
	st, err := one(statistics)
	if err != nil {
		return err
	}
	given, err := f.Of.Given.open()
	if err != nil {
		return err
	}
	x, y := st.inputs()
	fitting.Lock()
	defer fitting.Unlock() // also if a fit panics, since Beam recovers
	s, err := f.Of.find(ctx, x, y, given, st.Rows)
	if err != nil {
		return err
	}
	plan, err := s.keep()
	if err != nil {
		return err
	}
	var buf bytes.Buffer
	if err := gob.NewEncoder(&buf).Encode(plan); err != nil {
		return err
	}
	emit(buf.Bytes())
	return nil
}

// deal assigns rows to shards.
type deal struct {
	Shards int
	Seed   uint64
	gather gather
	emit   func(int, dealt)
}

// StartBundle resets the state after a failed bundle.
func (f *deal) StartBundle(_ context.Context, emit func(int, dealt)) error {
	f.gather, f.emit = gather{}, emit
	return nil
}

// ProcessElement adds a batch.
func (f *deal) ProcessElement(_ context.Context, b rows.Batch, emit func(int, dealt)) error {
	f.emit = emit
	return f.gather.add(&b, f.out)
}

// out emits the buffered rows by shard.
func (f *deal) out(all rows.Batch, numbers []uint64) error {
	lists := make([][]int, f.Shards)
	for i, number := range numbers {
		k := rng.Hash(f.Seed, "learn shard", number) % uint64(f.Shards)
		lists[k] = append(lists[k], i)
	}
	for k, list := range lists {
		if len(list) == 0 {
			continue
		}
		d := dealt{rows: pick(&all, list)}
		for _, i := range list {
			d.numbers = append(d.numbers, numbers[i])
		}
		f.emit(k, d)
	}
	return nil
}

// FinishBundle emits the remaining rows.
func (f *deal) FinishBundle(_ context.Context, emit func(int, dealt)) error {
	f.emit = emit
	err := f.gather.flush(f.out)
	f.emit = nil
	return err
}

// dealt holds rows of a shard with their numbers.
type dealt struct {
	numbers []uint64
	rows    rows.Batch
}

func encodeDealt(d dealt) []byte {
	var buf []byte
	for _, v := range d.numbers {
		buf = binary.LittleEndian.AppendUint64(buf, v)
	}
	buf = append(buf, rows.Encode(d.rows)...)
	return binary.LittleEndian.AppendUint64(buf, uint64(len(d.numbers)))
}

// decodeDealt returns an error that wraps rkhs.ErrFormat for invalid data.
func decodeDealt(data []byte) (d dealt, err error) {
	bad := fmt.Errorf("learn: %d bytes of rows of a shard: %w", len(data), rkhs.ErrFormat)
	if len(data) < 8 {
		return d, bad
	}
	rest := data[:len(data)-8]
	count := binary.LittleEndian.Uint64(data[len(rest):])
	if count > uint64(len(rest)/8) {
		return d, bad
	}
	for range count {
		d.numbers = append(d.numbers, binary.LittleEndian.Uint64(rest))
		rest = rest[8:]
	}
	if d.rows, err = rows.Decode(rest); err == nil && d.rows.Rows != len(d.numbers) {
		err = bad
	}
	return d, err
}

// sorted returns the rows of pieces ordered by number, and by values for equal numbers.
func sorted(pieces []dealt) rows.Batch {
	var parts []rows.Batch
	var numbers []uint64
	for _, d := range pieces {
		parts, numbers = append(parts, d.rows), append(numbers, d.numbers...)
	}
	all := join(parts)
	order := make([]int, all.Rows)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(numbers[i], numbers[j]), compareRows(&all, i, j))
	})
	return pick(&all, order)
}

// gathered returns the rows of a shard, or no rows if all weights are zero. Call it before
// taking a lock: a waiting bundle with unread rows blocks the stream of all bundles of the
// worker.
func gathered(pieces func(*dealt) bool) rows.Batch {
	var list []dealt
	var d dealt
	for pieces(&d) {
		list = append(list, d)
		d = dealt{}
	}
	if b := sorted(list); counts(&b) {
		return b
	}
	return rows.Batch{}
}

// fitting serialises fits in a process, since each uses all processors and much memory.
var fitting sync.Mutex

// shardFit fits a learner to the rows of a shard.
type shardFit struct{ Of shardLearner }

// ProcessElement implements the DoFn for a shard.
func (f *shardFit) ProcessElement(ctx context.Context, shard int, pieces func(*dealt) bool, plan func(*[]byte) bool, emit func(int, []byte)) error {
	b := gathered(pieces)
	if b.Rows == 0 { // no row of positive weight
		return nil
	}
	file, err := only(plan)
	if err != nil {
		return err
	}
	var begin found
	if err := gob.NewDecoder(bytes.NewReader(file)).Decode(&begin); err != nil {
		return fmt.Errorf("learn: a plan of shards: %v: %w", err, rkhs.ErrFormat)
	}
	from, err := begin.open()
	if err != nil {
		return err
	}
	l, err := f.Of.learner(from)
	if err != nil {
		return err
	}
	fitting.Lock()
	defer fitting.Unlock()
	m, err := l.fit(ctx, b.X(), b.Y())
	if err != nil {
		return fmt.Errorf("learn: %d rows of shard %d: %w", b.Rows, shard, err)
	}
	learned.Inc(ctx, int64(b.Rows))
	file, err = m.MarshalBinary()
	if err == nil {
		emit(shard/mergers, numbered(shard, file))
	}
	return err
}

// numbered prepends the number of a shard or group to its file.
func numbered(number int, file []byte) []byte {
	return append(binary.LittleEndian.AppendUint64(nil, uint64(number)), file...)
}

// unnumbered returns the file without its number.
func unnumbered(_ int, element []byte) []byte { return element[8:] }

// inOrder returns the files of numbered elements, ordered by number.
func inOrder(elements func(*[]byte) bool) (list [][]byte, err error) {
	var e []byte
	for elements(&e) {
		if len(e) < 8 {
			return nil, fmt.Errorf("learn: %d bytes of what a shard hands on: %w", len(e), rkhs.ErrFormat)
		}
		list = append(list, slices.Clone(e))
	}
	slices.SortFunc(list, func(a, b []byte) int {
		return cmp.Compare(binary.LittleEndian.Uint64(a), binary.LittleEndian.Uint64(b))
	})
	for i := range list {
		list[i] = list[i][8:]
	}
	return list, nil
}

// shardMerge merges the models of a group of shards.
type shardMerge struct{ Of shardLearner }

// ProcessElement implements the DoFn for a group.
func (f *shardMerge) ProcessElement(_ context.Context, group int, elements func(*[]byte) bool, emit func(int, []byte)) error {
	list, err := inOrder(elements)
	if err != nil {
		return err
	}
	l, err := f.Of.learner(start{})
	if err != nil {
		return err
	}
	m, err := l.merge(list)
	if err != nil {
		return fmt.Errorf("learn: %w", err)
	}
	file, err := m.MarshalBinary()
	if err == nil {
		emit(group/mergers, numbered(group, file))
	}
	return err
}

// find fills in missing parameters with the kernel and ridge of a fit to the sample.
func (o *shardLearner) find(ctx context.Context, x, y mat.Matrix, s start, rows int64) (start, error) {
	s.features = min(defaultFeatures, max(2, int(rows)/o.Shards/2))
	if s.kernel != nil && s.ridge > 0 {
		return s, nil
	}
	l, err := o.learner(s)
	if err != nil {
		return s, err
	}
	m, err := l.fit(ctx, x, y)
	if err != nil {
		return s, fmt.Errorf("learn: the sample: %w", err)
	}
	n, _ := x.Dims()
	k, ridge := l.selected(m)
	s.kernel = k
	if s.ridge == 0 {
		s.ridge = ridge * float64(n) / float64(rows)
	}
	return s, nil
}

// open returns the models of files.
func open[M any, P interface {
	*M
	UnmarshalBinary([]byte) error
}](files [][]byte) ([]P, error) {
	list := make([]P, len(files))
	for i, file := range files {
		list[i] = new(M)
		if err := list[i].UnmarshalBinary(file); err != nil {
			return nil, err
		}
	}
	return list, nil
}
