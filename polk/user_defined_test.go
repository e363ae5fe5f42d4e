package polk_test

import (
	"context"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/loss"
	"github.com/rkhs-go/rkhs/polk"
)

// userDefined embeds loss.Absolute.
type userDefined struct{ loss.Absolute }

// A learner detects capabilities of a loss by its methods. A loss that embeds another gives the
// same model, in any unit of the targets.
func TestUserDefinedAbsolute(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: runs without -short")
	}
	x, y := sample(400, 1)
	y.Scale(100, y)
	var want *mat.Dense
	var report polk.Report
	for _, l := range []loss.Loss{loss.Absolute{}, userDefined{}} {
		m, err := polk.Fit(context.Background(), x, y, &polk.Options{Loss: l, Passes: 5})
		if err != nil {
			t.Fatal(err)
		}
		got, err := m.Predict(x)
		if err != nil {
			t.Fatal(err)
		}
		r := m.Report()
		r.Loss = nil
		if want == nil {
			want, report = got, r
		}
		if !mat.Equal(got, want) || !reflect.DeepEqual(r, report) {
			t.Errorf("%T: report %+v, want %+v", l, r, report)
		}
	}
}
