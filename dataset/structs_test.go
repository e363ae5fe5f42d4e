package dataset

import (
	"database/sql"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rkhs-go/rkhs"
)

// colour is a type with a text.
type colour int

func (c colour) MarshalText() ([]byte, error) { return []byte([]string{"red", "blue"}[c]), nil }

type address struct {
	Town string
	Zip  int `rkhs:"zip,category"`
}

type garden struct{ Trees *int }

type home struct {
	Area  float64
	Small float32 `rkhs:"small"`
	address
	*garden
	Rooms  *int32
	Rent   sql.NullFloat64
	Owner  sql.Null[string]
	Sold   time.Time
	Door   colour
	Lift   bool
	Steps  uint64
	Age    time.Duration
	Code   []byte
	Skip   []string       `rkhs:"-"`
	hidden map[string]int //lint:ignore U1000 unexported fields are ignored
	Weight float64        `rkhs:",weights"`
	Price  float64        `rkhs:"price,target"`
}

func homes() []home {
	trees, rooms := 7, int32(3)
	day := time.Date(2024, 5, 1, 0, 0, 0, 0, time.UTC)
	return []home{
		{Area: 50.5, Small: .1, address: address{"Ely", 123}, garden: &garden{&trees}, Rooms: &rooms,
			Rent: sql.NullFloat64{Float64: 900, Valid: true}, Owner: sql.Null[string]{V: "Ann", Valid: true},
			Sold: day, Door: 1, Lift: true, Steps: math.MaxUint64, Age: 5, Code: []byte("x"), Weight: 2, Price: 1},
		{Area: math.NaN(), address: address{"", 4}, Steps: 3, Price: 2},
		{Small: 2, garden: &garden{}, Door: 0, Weight: 1, Price: math.NaN()},
	}
}

// Each cell of each supported type has its text. Missing cells have no text.
func TestFromStructs(t *testing.T) {
	table, err := FromStructs(homes())
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"Area": "50.5||0", "small": "0.1|0|2", "Town": "Ely||", "zip": "123|4|0", "Trees": "7||",
		"Rooms": "3||", "Rent": "900||", "Owner": "Ann||", "Sold": "2024-05-01||", "Door": "blue|red|red", "Lift": "true|false|false",
		"Steps": "18446744073709552000|3|0", "Age": "5|0|0", "Code": "x||", "Weight": "2|0|1", "price": "1|2|"}
	for _, c := range table.Columns() {
		if got := strings.Join(textsOf(c), "|"); got != want[c.Name()] {
			t.Errorf("column %s is %s, want %s", c.Name(), got, want[c.Name()])
		}
		delete(want, c.Name())
	}
	if len(want) > 0 {
		t.Errorf("no columns %v", want)
	}
	if table.Target() != "price" || table.Weights() != "Weight" || table.Column("zip").Kind() != Category {
		t.Errorf("target %q, weights %q, zip is a %v", table.Target(), table.Weights(), table.Column("zip").Kind())
	}
}

func textsOf(c *Column) (list []string) {
	for i := range c.Len() {
		text, _ := c.Text(i)
		list = append(list, text)
	}
	return list
}

// Batches have the rows of the sequence and the target of the struct.
func TestStructBatches(t *testing.T) {
	type row struct {
		X int
		Y float64 `rkhs:",target"`
	}
	rows := func(yield func(*row) bool) {
		for i := range 10 {
			if !yield(&row{i, float64(i)}) {
				return
			}
		}
	}
	for size, want := range map[int][]int{1: {1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 3: {3, 3, 3, 1}, 5: {5, 5}, 20: {10}} {
		var sizes []int
		sum := 0.0
		for table, err := range StructBatches(rows, size) {
			if err != nil {
				t.Fatal(err)
			}
			n, _ := table.Dims()
			sizes = append(sizes, n)
			for i := range n {
				v, _, _ := table.Column("X").Number(i)
				sum += v
			}
			if table.Target() != "Y" {
				t.Errorf("target %q", table.Target())
			}
		}
		if !slices.Equal(sizes, want) || sum != 45 {
			t.Errorf("batches of %d have %v rows with sum %v", size, sizes, sum)
		}
	}
	for range StructBatches(rows, 2) {
		break
	}
}

// An invalid struct is an error that names its field.
func TestFromStructsErrors(t *testing.T) {
	check := func(err, sentinel error, parts ...string) {
		t.Helper()
		checkError(t, err, sentinel, parts...)
	}
	//lint:ignore U1000 a struct without exported fields
	type none struct{ x int }
	type list struct{ Tags []string }
	type nested struct{ In struct{ A int } }
	type tag struct {
		A int `rkhs:",number,nonsense"`
	}
	type twice struct {
		A int `rkhs:"B"`
		B int
	}
	type targets struct {
		A int `rkhs:",target"`
		B int `rkhs:",target"`
	}
	check(errOf(FromStructs([]none{{}})), rkhs.ErrEmpty, "none")
	check(errOf(FromStructs([]list{{}})), rkhs.ErrFormat, "field Tags", "[]string", `rkhs:"-"`)
	check(errOf(FromStructs([]nested{{}})), rkhs.ErrFormat, "field In")
	check(errOf(FromStructs([]tag{{}})), rkhs.ErrOption, "field A", "nonsense")
	check(errOf(FromStructs([]twice{{}})), rkhs.ErrOption, `"B"`)
	check(errOf(FromStructs([]targets{{}})), rkhs.ErrOption, "field B", `"A"`)
	check(errOf(FromStructs([]int{1})), rkhs.ErrFormat, "int")
	check(errOf(FromStructs([]home{})), rkhs.ErrEmpty)
	check(errOf(FromStructs([]*home{{}, nil})), rkhs.ErrEmpty, "row 1")
	check(errOf(FromStructs([]home{{}, {Price: math.Inf(1)}})), rkhs.ErrNotFinite, "row 1", `"price"`)
	for _, err := range StructBatches(slices.Values(homes()), 0) {
		check(err, rkhs.ErrOption)
	}
	for _, err := range StructBatches(slices.Values([]home{}), 2) {
		check(err, rkhs.ErrEmpty)
	}
}

func errOf(_ *Table, err error) error { return err }

// A column of several types keeps every value.
func TestBuilderMixtures(t *testing.T) {
	day := time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		values []any
		of     valueType
		want   string
	}{
		{[]any{nil, 1, 2.5, int8(3)}, numberValue, " 1 2.5 3"},
		{[]any{1, nil, "x", 2.5}, textValue, "1  x 2.5"},
		{[]any{true, 1}, textValue, "true 1"},
		{[]any{2.5, true, day}, textValue, "2.5 true 2024-05-01T12:00:00Z"},
		{[]any{day, "x"}, textValue, "2024-05-01T12:00:00Z x"},
		{[]any{nil, nil}, noValue, " "},
		{[]any{"", math.NaN(), time.Time{}, []byte(nil)}, noValue, "   "},
	} {
		b := &builder{name: "x"}
		for _, v := range c.values {
			if err := b.add(v); err != nil {
				t.Fatal(err)
			}
		}
		if got := strings.Join(textsOf(b.column(defaultParser)), " "); got != c.want || b.of != c.of {
			t.Errorf("%v is %q of type %d, want %q of type %d", c.values, got, b.of, c.want, c.of)
		}
	}
	if err := new(builder).add(fmt.Stringer(nil)); err != nil {
		t.Error(err)
	}
	if err := new(builder).add([]int{1}); err == nil {
		t.Error("a slice is no cell")
	}
}
