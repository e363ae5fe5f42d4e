package dataset_test

import (
	"database/sql"
	"fmt"
	"log"
	"slices"

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
