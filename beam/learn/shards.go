package learn

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"reflect"
	"slices"
	"sync"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/beam/rows"
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

// withFile groups the rows of each shard with the file that all shards need. Prism would request
// a side input repeatedly while its step runs.
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
	file, err := encodeGob(plan)
	if err == nil {
		emit(file)
	}
	return err
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
	begin, err := decodeGob[found](file)
	if err != nil {
		return err
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
