package kernel_test

import (
	"fmt"
	"log"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
)

// A kernel as data, for a program that writes it in another form.
func ExampleDescribe() {
	k := kernel.Sum{kernel.ARD{Scales: []float64{1, 2}, Of: kernel.Gaussian{Sigma: 3}}, kernel.Linear{}}
	n, err := kernel.Describe(k, 2)
	if err != nil {
		log.Fatal(err)
	}
	var tell func(n kernel.Node, indent string)
	tell = func(n kernel.Node, indent string) {
		fmt.Println(indent+n.Family, n.Numbers, n.Lists)
		for _, of := range n.Of {
			tell(of, indent+". ")
		}
	}
	tell(n, "")
	// Output:
	// Sum map[] map[]
	// . ARD map[] map[Scales:[1 2]]
	// . . Gaussian map[Sigma:3] map[]
	// . Linear map[] map[]
}

// Total is an embedding that says it is linear, so that features of its images can be written
// out.
type Total struct{}

func (Total) Width(int) int { return 1 }
func (Total) Linear() bool  { return true }

func (Total) EmbedTo(dst, x blas64.General, _ int) {
	for i := range x.Rows {
		dst.Data[i*dst.Stride] = 0
		for _, v := range x.Data[i*x.Stride:][:x.Cols] {
			dst.Data[i*dst.Stride] += v
		}
	}
}

func ExampleLinearEmbedding() {
	for _, e := range []gram.Embedding{Total{}, gram.Division{2, 1}, gram.Roots{}} {
		l, ok := e.(gram.LinearEmbedding)
		fmt.Println(ok && l.Linear())
	}
	// Output:
	// true
	// true
	// false
}
