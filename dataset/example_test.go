package dataset_test

import (
	"compress/gzip"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/kernel"
)

// The example reads a file, splits its rows, fits a scaling to the training rows, learns, predicts,
// and scores in the units of the file.
func Example() {
	const file = `height; width; weight
		1.5; 20; 31
		2.5; 20; 49
		1.0; 30; 31
		3.0; 10; 32
		2.0; 15; 30`
	all, err := dataset.ReadCSV(strings.NewReader(file), dataset.Options{})
	if err != nil {
		log.Fatal(err)
	}
	trainRows, testRows, err := dataset.Random(len(all.Y), 1).Split(0.2)
	if err != nil {
		log.Fatal(err)
	}
	train, test := all.Select(trainRows), all.Select(testRows)
	if _, err := dataset.Standardize(train.X, test.X); err != nil {
		log.Fatal(err)
	}
	units, err := dataset.Standardize(train.Targets())
	if err != nil {
		log.Fatal(err)
	}
	// A learner would train on train.X and train.Targets() here. This example predicts the mean,
	// which is 0 for scaled targets.
	predicted := mat.NewDense(len(test.Y), 1, nil)
	if err := units.Invert(predicted); err != nil {
		log.Fatal(err)
	}
	rmse, err := dataset.RMSE(predicted, test.Targets())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(train.Y), "rows to train on,", len(test.Y), "to test on")
	fmt.Printf("weight %.2f, predicted %.2f: RMSE %.2f\n", test.Y[0], predicted.At(0, 0), rmse)
	// Output:
	// 4 rows to train on, 1 to test on
	// weight 30.00, predicted 35.75: RMSE 5.75
}

// The name or the contents determine the format. The contents also show whether the file is
// compressed.
func ExampleLoad() {
	path := filepath.Join(os.TempDir(), "flowers.csv.gz")
	defer os.Remove(path)
	write(path, "5.1,3.5,0\n6.3,3.3,1\n5.8,2.7,1\n")
	s, err := dataset.Load(path, dataset.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(mat.Formatted(s.X))
	fmt.Println(s.Y)
	// Output:
	// ⎡5.1  3.5⎤
	// ⎢6.3  3.3⎥
	// ⎣5.8  2.7⎦
	// [0 1 1]
}

// Batches reads a file that does not fit into memory.
func ExampleBatches() {
	path := filepath.Join(os.TempDir(), "stream.csv.gz")
	defer os.Remove(path)
	write(path, "1,10\n2,20\n3,30\n")
	for batch, err := range dataset.Batches(path, 2, dataset.Options{}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(batch.Y)
	}
	// Output:
	// [10 20]
	// [30]
}

func write(path, text string) {
	f, err := os.Create(path)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	w := gzip.NewWriter(f)
	defer w.Close()
	fmt.Fprint(w, text)
}

// The example prints the first image and its label from two files like the files of MNIST.
func ExampleLoadIDXPair() {
	dir := os.TempDir()
	images, labels := filepath.Join(dir, "some-images-idx3-ubyte.gz"), filepath.Join(dir, "some-labels-idx1-ubyte.gz")
	defer os.Remove(images)
	defer os.Remove(labels)
	write(images, "\x00\x00\x08\x03\x00\x00\x00\x01\x00\x00\x00\x02\x00\x00\x00\x02"+"\x00\x40\x7f\x01")
	write(labels, "\x00\x00\x08\x01\x00\x00\x00\x01"+"\x07")
	s, err := dataset.LoadIDXPair(images, labels)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(s.X.RawRowView(0), s.Y[0])
	// Output: [0 64 127 1] 7
}

// A file without a target.
func ExampleReadCSV() {
	s, err := dataset.ReadCSV(strings.NewReader("1 2 3\n4 5 6\n"), dataset.Options{Target: dataset.NoTarget})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(mat.Formatted(s.X), s.Y == nil)
	// Output:
	// ⎡1  2  3⎤
	// ⎣4  5  6⎦ true
}

// An error names line and column.
func ExampleReadCSV_missingValue() {
	_, err := dataset.ReadCSV(strings.NewReader("1,2,3\n4,,6\n"), dataset.Options{})
	fmt.Println(err)
	// Output: dataset: line 2, column 2: no value: invalid format
}

func ExampleReadSVM() {
	s, err := dataset.ReadSVM(strings.NewReader("+1 1:0.5 3:2\n-1 2:1\n"), dataset.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(mat.Formatted(s.X))
	fmt.Println(s.Y)
	// Output:
	// ⎡0.5    0    2⎤
	// ⎣  0    1    0⎦
	// [1 -1]
}

func ExampleReadIDX() {
	dims, values, err := dataset.ReadIDX(strings.NewReader("\x00\x00\x08\x02\x00\x00\x00\x02\x00\x00\x00\x02" + "\x01\x02\x03\xff"))
	fmt.Println(dims, values, err)
	// Output: [2 2] [1 2 3 255] <nil>
}

// Both parts have the labels in the same proportions.
func ExampleStratified() {
	labels := []float64{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1}
	_, test, err := dataset.Stratified(labels, 1).Split(0.25)
	if err != nil {
		log.Fatal(err)
	}
	for _, row := range test {
		fmt.Print(labels[row], " ")
	}
	// Unordered output: 0 0 1
}

// All rows of a patient are in the same part.
func ExampleGrouped() {
	patients := []string{"Ann", "Ann", "Bob", "Bob", "Cyd", "Cyd"}
	folds, err := dataset.Grouped(patients, 1).Folds(3)
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range folds {
		fmt.Println(patients[f.Test[0]], patients[f.Test[1]])
	}
	// Unordered output:
	// Ann Ann
	// Bob Bob
	// Cyd Cyd
}

// The test rows are later than the training rows.
func ExampleOrdered() {
	folds, err := dataset.Ordered(6).Folds(2)
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range folds {
		fmt.Println("train on", f.Train, "test on", f.Test)
	}
	// Output:
	// train on [0 1] test on [2 3]
	// train on [0 1 2 3] test on [4 5]
}

// All rows of a day are in the same part.
func ExampleByTime() {
	days := []float64{3, 1, 2, 3, 1}
	train, test, err := dataset.ByTime(days).Split(0.2)
	fmt.Println(train, test, err)
	// Output: [1 4 2] [0 3] <nil>
}

func ExampleScaling() {
	x := mat.NewDense(5, 1, []float64{1, 2, 3, 4, 100})
	for _, s := range []dataset.Scaling{dataset.Standard, dataset.MinMax, dataset.Robust} {
		scale, err := s.Fit(x)
		if err != nil {
			log.Fatal(err)
		}
		scaled := mat.DenseCopyOf(x)
		if err := scale.Apply(scaled); err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%-8v %5.2f\n", s, scaled.RawMatrix().Data)
	}
	// Output:
	// Standard [-0.54 -0.51 -0.49 -0.46  2.00]
	// MinMax   [ 0.00  0.01  0.02  0.03  1.00]
	// Robust   [-1.00 -0.50  0.00  0.50 48.50]
}

// The program saves a scaler along with its model.
func ExampleScaler() {
	x := mat.NewDense(3, 2, []float64{0, 10, 1, 30, 2, 20})
	scale, err := dataset.MinMax.Fit(x)
	if err != nil {
		log.Fatal(err)
	}
	data, err := scale.MarshalBinary()
	if err != nil {
		log.Fatal(err)
	}
	var again dataset.Scaler
	if err := again.UnmarshalBinary(data); err != nil {
		log.Fatal(err)
	}
	row := mat.NewDense(1, 2, []float64{1, 15})
	if err := again.Apply(row); err != nil {
		log.Fatal(err)
	}
	fmt.Println(row.RawRowView(0))
	// Output: [0.5 0.25]
}

// Scores of a regression.
func ExampleRMSE() {
	y, predicted := mat.NewVecDense(4, []float64{3, -0.5, 2, 7}), mat.NewVecDense(4, []float64{2.5, 0, 2, 8})
	rmse, _ := dataset.RMSE(predicted, y)
	mae, _ := dataset.MAE(predicted, y)
	r2, _ := dataset.R2(predicted, y)
	pinball, _ := dataset.Pinball(predicted, y, 0.9)
	fmt.Printf("RMSE %.3f, MAE %.3f, R² %.3f, pinball loss %.3f\n", rmse, mae, r2, pinball)
	// Output: RMSE 0.612, MAE 0.500, R² 0.949, pinball loss 0.150
}

// Scores of a classification.
func ExampleAccuracy() {
	y, predicted := mat.NewVecDense(4, []float64{0, 0, 1, 1}), mat.NewVecDense(4, []float64{0, 1, 1, 1})
	probabilities := mat.NewDense(4, 2, []float64{0.9, 0.1, 0.4, 0.6, 0.35, 0.65, 0.2, 0.8})
	accuracy, _ := dataset.Accuracy(predicted, y)
	loss, _ := dataset.LogLoss(probabilities, y, []int{0, 1})
	auc, _ := dataset.AUC(probabilities.ColView(1), y)
	fmt.Printf("accuracy %.2f, log loss %.3f, AUC %.2f\n", accuracy, loss, auc)
	// Output: accuracy 0.75, log loss 0.419, AUC 1.00
}

func ExampleConfusion() {
	y, predicted := mat.NewVecDense(6, []float64{2, 0, 2, 2, 0, 1}), mat.NewVecDense(6, []float64{0, 0, 2, 2, 0, 2})
	c, err := dataset.Confusion(predicted, y)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(c)
	// Output:
	//   true\predicted  0  1  2
	//                0  2  0  0
	//                1  0  0  1
	//                2  1  0  2
}

// Shuffle reorders rows with their targets. The seed determines the order.
func ExampleSet_Shuffle() {
	s := &dataset.Set{X: mat.NewDense(4, 1, []float64{1, 2, 3, 4}), Y: []float64{10, 20, 30, 40}}
	s.Shuffle(1)
	for i, y := range s.Y {
		fmt.Print(s.X.At(i, 0)*10 == y, " ")
	}
	// Output: true true true true
}

// Weights balance a rare class, or express the cost of an error for each class.
func ExampleBalanced() {
	x, labels := mat.NewDense(5, 1, []float64{0, 1, 2, 3, 4}), mat.NewDense(5, 1, []float64{0, 0, 0, 0, 1})
	balanced, err := dataset.Balanced(x, labels)
	if err != nil {
		log.Fatal(err)
	}
	costs, err := dataset.WeighClasses(x, labels, map[int]float64{1: 10})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(balanced.Weights, costs.Weights)
	// Output:
	// [0.625 0.625 0.625 0.625 2.5] [1 1 1 1 10]
}

// Texts become sparse rows of hashed words, of length one.
func ExampleHashing() {
	texts := []string{"The kernel of a matrix", "The matrix of a kernel", "An apple a day"}
	var words [][]string
	for _, t := range texts {
		words = append(words, dataset.Words(t))
	}
	x, err := dataset.Hashing{Bits: 18}.Strings(words)
	if err != nil {
		log.Fatal(err)
	}
	s, err := dataset.UnitRows.Fit(x)
	if err != nil {
		log.Fatal(err)
	}
	if err := s.ApplySparse(x); err != nil {
		log.Fatal(err)
	}
	var gram mat.SymDense
	if err := kernel.Gram(&gram, kernel.Linear{}, x); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.2f\n", mat.Formatted(&gram))
	// Output:
	// ⎡1.00  1.00  0.00⎤
	// ⎢1.00  1.00  0.00⎥
	// ⎣0.00  0.00  1.00⎦
}

// A feature has a name and a value, as in the rows of other libraries.
func ExampleHashing_Features() {
	rows := [][]dataset.Feature{{{Name: "colour=red", Value: 1}, {Name: "price", Value: 2.5}}}
	x, err := dataset.Hashing{Bits: 8, Unsigned: true}.Features(rows)
	if err != nil {
		log.Fatal(err)
	}
	r, c := x.Dims()
	fmt.Println(r, c, mat.Sum(x))
	// Output: 1 256 3.5
}

// Sparse rows need memory only for the listed elements, for any number of columns.
func ExampleReadSparse() {
	s, err := dataset.ReadSparse(strings.NewReader("1 3:0.5 2000000000:1\n-1 7:2\n"), dataset.Options{})
	if err != nil {
		log.Fatal(err)
	}
	r, c := s.Rows().Dims()
	fmt.Println(r, c, s.X.Values, s.Y)
	// Output: 2 2000000000 [0.5 1 2] [1 -1]
}

// The rows of an svmlight file stay sparse.
func ExampleLoadSparse() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "words.svm")
	if err := os.WriteFile(path, []byte("1 1:2 1000000:1\n-1 3:1\n"), 0o600); err != nil {
		log.Fatal(err)
	}
	s, err := dataset.LoadSparse(path, dataset.Options{})
	if err != nil {
		log.Fatal(err)
	}
	rows, columns := s.X.Dims()
	fmt.Println(s.Y, rows, columns, s.X.At(0, 999999))
	// Output:
	// [1 -1] 2 1000000 1
}

// A large file is read in batches.
func ExampleSparseBatches() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "words.svm")
	if err := os.WriteFile(path, []byte("1 1:1\n-1 2:1\n1 3:1\n"), 0o600); err != nil {
		log.Fatal(err)
	}
	for s, err := range dataset.SparseBatches(path, 2, dataset.Options{Cols: 3}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(s.Y)
	}
	all, err := dataset.LoadSparse(path, dataset.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(all.X.Cols)
	// Output:
	// [1 -1]
	// [1]
	// 3
}

// A table of a file has names, kinds and missing cells.
func ExampleReadTable() {
	file := strings.NewReader("day;area;town\n2024-05-01;50,5;Ely\n2024-06-01;;Bath\n2024-07-01;70;Ely\n")
	table, err := dataset.ReadTable(file, dataset.TableOptions{DecimalComma: true})
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range table.Columns() {
		text, ok := c.Text(1)
		fmt.Println(c.Name(), c.Kind(), text, ok)
	}
	// Output:
	// day date 2024-06-01 true
	// area number  false
	// town category Bath true
}

// CollectTables reads all batches into one table.
func ExampleCollectTables() {
	file := strings.NewReader("town,price\nEly,500\nBath,410\nEly,620\n")
	table, err := dataset.CollectTables(dataset.TableBatches(file, 2, dataset.TableOptions{}), nil)
	if err != nil {
		log.Fatal(err)
	}
	rows, _ := table.Dims()
	for _, c := range table.Columns() {
		fmt.Println(rows, c.Name(), c.Kind())
	}
	// Output:
	// 3 town category
	// 3 price number
}

// TableBatches reads some rows at a time. ParseKind returns the kind with a name.
func ExampleTableBatches() {
	file := strings.NewReader("a\n1\n2\n3\n")
	for table, err := range dataset.TableBatches(file, 2, dataset.TableOptions{}) {
		if err != nil {
			log.Fatal(err)
		}
		n, _ := table.Dims()
		fmt.Println(n, "rows")
	}
	kind, err := dataset.ParseKind("category")
	fmt.Println(kind, err)
	// Output:
	// 2 rows
	// 1 rows
	// category <nil>
}

func ExampleLoadTable() {
	_, err := dataset.LoadTable("no-such-file.csv", dataset.TableOptions{})
	fmt.Println(err)
	_, err = dataset.FormatOf("no-such-file.csv")
	fmt.Println(err)
	// Output:
	// dataset: open no-such-file.csv: no such file or directory
	// dataset: no-such-file.csv: open no-such-file.csv: no such file or directory
}

// The example appends rows of another source to a table with the same columns.
func ExampleNewTable() {
	first, err := dataset.NewTable([]string{"a", "b"}, [][]string{{"1", "x"}}, dataset.TableOptions{})
	if err != nil {
		log.Fatal(err)
	}
	both, err := dataset.ConcatTables(first, first)
	if err != nil {
		log.Fatal(err)
	}
	rows, columns := both.Dims()
	fmt.Println(rows, columns, both.Column("a").Kind())
	// Output: 2 2 number
}

// CalibrationError compares probabilities with frequencies of labels.
func ExampleCalibrationError() {
	p := mat.NewDense(4, 2, []float64{0.2, 0.8, 0.2, 0.8, 0.9, 0.1, 0.9, 0.1})
	y := mat.NewDense(4, 1, []float64{1, 0, 0, 0})
	e, err := dataset.CalibrationError(p, y, []int{0, 1}, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.2f\n", e)
	// Output: 0.20
}

// Coverage is the fraction of targets inside the intervals. A narrower interval is better.
func ExampleCoverage() {
	lower, upper := mat.NewDense(2, 1, []float64{1, 1}), mat.NewDense(2, 1, []float64{3, 5})
	covered, width, err := dataset.Coverage(lower, upper, mat.NewDense(2, 1, []float64{2, 6}))
	fmt.Println(covered, width, err)
	// Output: 0.5 3 <nil>
}

// A program combines columns to a table without a file.
func ExampleTableOf() {
	missing := []bool{false, true, false}
	table, err := dataset.TableOf(
		dataset.NumberColumn("area", []float64{50.5, 0, 70}, missing),
		dataset.IntegerColumn("rooms", []int64{2, 3, 3}, nil),
		dataset.TextColumn("town", []string{"Ely", "Bath", "Ely"}, nil),
		dataset.BoolColumn("garden", []bool{true, false, true}, nil),
		dataset.TimeColumn("sold", []time.Time{time.Date(2024, 5, 1, 0, 0, 0, 0, time.UTC), {}, {}}, []bool{false, true, true}),
	)
	if err != nil {
		log.Fatal(err)
	}
	for _, note := range table.Notes() {
		fmt.Println(note)
	}
	// Output:
	// area: number; 1 empty cell missing
	// rooms: number
	// town: category
	// garden: category
	// sold: date; 2 empty cells missing
}

// The notation of one file reads the next file, in which the cells are ambiguous.
func ExampleNotation() {
	first, err := dataset.ReadTable(strings.NewReader("price;day\n1.250,50 €;31/12/2020\n-;01/02/2020\n"), dataset.TableOptions{})
	if err != nil {
		log.Fatal(err)
	}
	for _, note := range first.Notes() {
		fmt.Println(note)
	}
	var price dataset.Notation = first.Column("price").Notation()
	fmt.Println(price.Unit, price.DecimalComma)
	next, err := dataset.ReadTable(strings.NewReader("price;day\n7 €;02/01/2021\n"), dataset.TableOptions{Notations: first.Notations()})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(next.Column("day").Text(0))
	// Output:
	// price: number; numbers in €; decimal comma; separators of thousands; "-" is missing in 1 cell
	// day: date; dates as 2/1/2006
	// € true
	// 2021-01-02 true
}
