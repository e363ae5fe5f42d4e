package dataset_test

import (
	"database/sql"
	"fmt"
	"log"
	"slices"
	"strings"

	_ "modernc.org/sqlite"

	"github.com/rkhs-go/rkhs/dataset"
)

type house struct {
	Area   float64
	Zip    int      `rkhs:",category"`
	Count  float64  `rkhs:",weights"`
	Price  float64  `rkhs:"price,target"`
	Photos [][]byte `rkhs:"-"`
}

func ExampleFromStructs() {
	houses := []house{{Area: 50, Zip: 2139, Count: 1, Price: 500}, {Area: 60, Zip: 2140, Count: 2, Price: 600}}
	t, err := dataset.FromStructs(houses)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(t.Target(), t.Weights(), t.Column("Zip").Kind())
	for batch, err := range dataset.StructBatches(slices.Values(houses), 1) {
		fmt.Println(batch.Column("price").Number(0))
		if err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// price Count category
	// 500 true <nil>
	// 600 true <nil>
}

// A query, whole and in batches of constant memory.
func ExampleFromSQL() {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	query := func() *sql.Rows {
		rows, err := db.Query("SELECT 50.5 AS area, 'Ely' AS town UNION ALL SELECT NULL, 'Bath'")
		if err != nil {
			log.Fatal(err)
		}
		return rows
	}
	t, err := dataset.FromSQL(query())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(t.Column("area").Kind(), t.Column("area").Missing(1))
	for batch, err := range dataset.SQLBatches(query(), 1000) {
		fmt.Println(batch.Column("town").Text(1))
		if err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// number true
	// Bath true
}

// The cells of a CSV file determine the kinds of the columns.
func ExampleReadTable_csv() {
	text := "area,town,price\n50.5,Ely,500\n?,Bath,410\n60,Ely,620\n"
	t, err := dataset.ReadTable(strings.NewReader(text), dataset.TableOptions{})
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range t.Columns() {
		fmt.Println(c.Name(), c.Kind())
	}
	fmt.Println(t.Column("area").Missing(1))
	// Output:
	// area number
	// town category
	// price number
	// true
}

// JSON lines: a missing key is a missing cell, and nested values are ignored.
func ExampleReadTable_json() {
	text := `{"area":50.5,"town":"Ely","rooms":[1,2]}` + "\n" + `{"town":"Bath"}` + "\n"
	t, err := dataset.ReadTable(strings.NewReader(text), dataset.TableOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(t.Column("area").Missing(1))
	for _, n := range t.Notes() {
		if n.Ignored != "" {
			fmt.Println(n)
		}
	}
	// Output:
	// true
	// rooms: ignored, 1 cell with nested values
}

// ARFF, with the kinds of its header.
func ExampleReadTable_arff() {
	text := "@relation homes\n@attribute area real\n@attribute rooms {2,3,4}\n@data\n50.5,3\n?,4\n"
	t, err := dataset.ReadTable(strings.NewReader(text), dataset.TableOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(t.Column("area").Missing(1), t.Column("rooms").Kind())
	// Output: true category
}

// Maps, such as decoded JSON, whole and in batches.
func ExampleFromMaps() {
	rows := []map[string]any{{"area": 50.5, "town": "Ely"}, {"town": "Bath"}}
	t, err := dataset.FromMaps(rows)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(t.Column("area").Missing(1))
	for batch, err := range dataset.MapBatches(slices.Values(rows), 1) {
		fmt.Println(batch.Column("town").Text(0))
		if err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// true
	// Ely true
	// Bath true
}

// A reader of another format builds columns, and notes the columns that it ignores.
func ExampleRawColumn() {
	part, err := dataset.TableOf(dataset.RawColumn("town", []string{"Ely", "-"}, nil))
	if err != nil {
		log.Fatal(err)
	}
	part, err = part.WithReading(dataset.TableOptions{Missing: []string{"-"}})
	if err != nil {
		log.Fatal(err)
	}
	t, err := dataset.ConcatTables(part.WithIgnored(dataset.Note{Column: "rooms", Cells: 2, Ignored: "lists"}))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(t.Column("town").Kind(), t.Column("town").Missing(1), len(t.Notes()))
	// Output: category true 2
}

// Indices of svmlight may start at 0.
func ExampleFirstIndex() {
	s, err := dataset.ReadSVM(strings.NewReader("1 1:5 0:4\n-1 2:6\n"), dataset.Options{FirstIndex: dataset.FromZero})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(s.X.RawRowView(0))
	// Output: [4 5 0]
}
