package kernel

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/input"
)

// Gram sets dst to the n×n matrix of k(x_i, x_j) over the rows of x, n×d. It resizes an empty dst, and writes both
// triangles of the array behind dst. Errors wrap the errors of Check, rkhs.ErrEmpty, rkhs.ErrNotFinite, and
// rkhs.ErrShape for a dst of another size. dst is then unchanged. O(n²·d) for most kernels.
func Gram(dst *mat.SymDense, k Kernel, x mat.Matrix) error {
	rows, err := checkedRows(k, "x", x)
	if err != nil {
		return err
	}
	if dst == nil {
		return fmt.Errorf("kernel: dst is nil: %w", rkhs.ErrShape)
	}
	if dst.IsEmpty() {
		dst.ReuseAsSym(rows.Rows)
	}
	s := dst.RawSymmetric()
	if s.N != rows.Rows {
		return fmt.Errorf("kernel: dst is %d×%d, want %d×%d: %w", s.N, s.N, rows.Rows, rows.Rows, rkhs.ErrShape)
	}
	gram.Evaluator{Kernel: k}.GramOf(compute.Matrix{Rows: s.N, Cols: s.N, Stride: s.Stride, Data: s.Data}, rows)
	return nil
}

// Cross sets dst to the n×m matrix of k(x_i, z_j) over the rows of x, n×d, and of z, m×d. dst and errors are as for
// Gram. Different numbers of columns of x and z are rkhs.ErrShape. O(n·m·d) for most kernels.
func Cross(dst *mat.Dense, k Kernel, x, z mat.Matrix) error {
	xs, zs, err := checkedPair(k, x, z)
	if err != nil {
		return err
	}
	to, err := input.Destination("kernel", dst, xs.Rows, zs.Rows)
	if err != nil {
		return err
	}
	gram.Evaluator{Kernel: k}.CrossOf(to, xs, zs)
	return nil
}

// Diag sets dst_i = k(x_i, x_i) over the rows of x, n×d. dst and errors are as for Gram. O(n·d) for most kernels.
func Diag(dst *mat.VecDense, k Kernel, x mat.Matrix) error {
	rows, err := checkedRows(k, "x", x)
	if err != nil {
		return err
	}
	if dst == nil {
		return fmt.Errorf("kernel: dst is nil: %w", rkhs.ErrShape)
	}
	if dst.IsEmpty() {
		dst.ReuseAsVec(rows.Rows)
	}
	if dst.Len() != rows.Rows {
		return fmt.Errorf("kernel: dst has length %d, want %d: %w", dst.Len(), rows.Rows, rkhs.ErrShape)
	}
	v := make([]float64, dst.Len())
	gram.Evaluator{Kernel: k}.DiagOf(v, rows)
	dst.CopyVec(mat.NewVecDense(len(v), v))
	return nil
}

// Mul sets dst to the n×q product K·W, K_ij = k(x_i, z_j), without storing K: x is n×d, z is m×d, w is m×q. dst and
// errors are as for Cross. O(n·m·(d + q)) for most kernels.
func Mul(dst *mat.Dense, k Kernel, x, z, w mat.Matrix) error {
	xs, zs, err := checkedPair(k, x, z)
	if err != nil {
		return err
	}
	ws, err := input.Rows("kernel", "w", w)
	if err != nil {
		return err
	}
	if ws.Rows != zs.Rows {
		return fmt.Errorf("kernel: w has %d rows, want one for each of the %d rows of z: %w", ws.Rows, zs.Rows, rkhs.ErrShape)
	}
	to, err := input.Destination("kernel", dst, xs.Rows, ws.Cols)
	if err != nil {
		return err
	}
	gram.Evaluator{Kernel: k}.MulOf(to, xs, zs, ws)
	return nil
}

// MedianDistance returns the median of the positive Euclidean distances between rows of x, n×d, a bandwidth on the
// scale of the data. It uses all pairs of rows, or of 1000 rows drawn by seed if there are more. It returns 1 if all
// these rows are equal. Errors wrap rkhs.ErrEmpty, rkhs.ErrNotFinite, and rkhs.ErrDiverged for a median that is out of
// range for a bandwidth, [1e-150, 1e150].
func MedianDistance(x mat.Matrix, seed uint64) (float64, error) {
	rows, err := input.Points("kernel", "x", x)
	if err != nil {
		return 0, err
	}
	return gram.MedianDistance(rows, seed)
}

// checkedRows copies dense rows, because dst may share memory with them.
func checkedRows(k Kernel, name string, x mat.Matrix) (rows compute.Points, err error) {
	if input.IsSparse(x) {
		rows, err = input.Points("kernel", name, x)
	} else {
		rows.Matrix, err = input.Rows("kernel", name, x)
	}
	if err == nil {
		err = check(k, name, rows)
	}
	return rows, err
}

func checkedPair(k Kernel, x, z mat.Matrix) (xs, zs compute.Points, err error) {
	if xs, err = checkedRows(k, "x", x); err != nil {
		return xs, zs, err
	}
	zs, err = checkedRows(k, "z", z)
	if err == nil && zs.Cols != xs.Cols {
		err = fmt.Errorf("kernel: z has %d columns, want %d: %w", zs.Cols, xs.Cols, rkhs.ErrShape)
	}
	return xs, zs, err
}
