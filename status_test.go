package rkhs_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/rkhs-go/rkhs"
)

func TestStatusNames(t *testing.T) {
	for want, s := range map[string]rkhs.Status{
		"NotTerminated": rkhs.NotTerminated, "Converged": rkhs.Converged, "IterationLimit": rkhs.IterationLimit,
		"Cancelled": rkhs.Cancelled, "Stopped": rkhs.Stopped, "Stalled": rkhs.Stalled, "EarlyStopped": rkhs.EarlyStopped,
		"Unknown": 255,
	} {
		if s.String() != want || fmt.Sprint(s) != want {
			t.Errorf("status %d is %q, want %q", uint8(s), s, want)
		}
	}
	var zero rkhs.Status
	if zero != rkhs.NotTerminated {
		t.Error("the zero value says that a fit has ended")
	}
	if next := rkhs.EarlyStopped + 1; next.String() != "Unknown" {
		t.Errorf("status %d has the name %q, but is not in this test", next, next)
	}
}

// TestErrorsAreTold checks that errors are distinct, directly and wrapped.
func TestErrorsAreTold(t *testing.T) {
	list := []error{rkhs.ErrShape, rkhs.ErrEmpty, rkhs.ErrNotFinite, rkhs.ErrDomain, rkhs.ErrOption, rkhs.ErrLabels,
		rkhs.ErrMemory, rkhs.ErrDiverged, rkhs.ErrNotConverged, rkhs.ErrFormat}
	for i, a := range list {
		for j, b := range list {
			if got := errors.Is(fmt.Errorf("pkg: x: %w", a), b); got != (i == j) {
				t.Errorf("errors.Is(%q, %q) = %v", a, b, got)
			}
			if (a.Error() == b.Error()) != (i == j) {
				t.Errorf("two errors say %q", a)
			}
		}
	}
}
