package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/internal/summary"
	"github.com/rkhs-go/rkhs/recipe"
)

// train scores the last checkpoint on a batch and trains on the batch. If the batch has an error, it
// trains on single rows and skips invalid rows.
func (u *updating) train(t *dataset.Table) {
	n, _ := t.Dims()
	u.learner.Position += n
	u.scored.add(u.checkpointModel, t)
	rows, err := u.learner.Update(t)
	if err == nil {
		u.drift.add(n-rows.Dropped, rows.Counts)
		if rows.Dropped > 0 {
			u.skip(fmt.Errorf("%s up to row %d without a target", summary.Count(rows.Dropped, "row"), u.learner.Position))
			u.skipped += rows.Dropped - 1
		}
		return
	}
	if n == 1 {
		u.skip(err)
		return
	}
	for i := range n {
		rows, err := u.learner.Update(t.Select([]int{i}))
		if err != nil {
			u.skip(err)
			continue
		}
		u.drift.add(1, rows.Counts)
	}
}

// mostReported is the largest number of skipped rows that are reported.
const mostReported = 10

// skip counts and reports a skipped row.
func (u *updating) skip(err error) {
	u.skipped++
	if u.reported++; u.reported <= mostReported {
		fmt.Fprintf(u.err, "skipped: %s\n", escape(err.Error()))
	}
	if u.reported == mostReported {
		fmt.Fprintln(u.err, "further skipped rows are only counted")
	}
}

// scored sums the errors of a model on rows after its checkpoint.
type scored struct {
	rows           int
	wrong, squares float64
}

// add scores a batch. Training reports the invalid rows.
func (s *scored) add(m *recipe.Model, t *dataset.Table) {
	if m == nil {
		return
	}
	if of, err := m.Score(t); err == nil {
		s.rows += of.Rows
		s.wrong += of.Errors * float64(of.Rows)
		s.squares += of.RMSE * of.RMSE * float64(of.Rows)
	}
}

// checkpoint saves the learner and prints a line if it is time, or at the end.
func (u *updating) checkpoint(ctx context.Context, end bool) error {
	rows := u.learner.Rows()
	late := u.seconds > 0 && time.Since(u.savedAt).Seconds() >= u.seconds
	if !end && !late && rows/u.every == u.saved/u.every {
		return nil
	}
	if err := rkhs.Save(u.model, u.learner); err != nil {
		return err
	}
	u.saved, u.savedAt = rows, time.Now()
	if !end || rows > u.shown {
		u.show(rows)
	}
	if end {
		return nil
	}
	if m, err := u.learner.Model(context.WithoutCancel(ctx)); err == nil || m != nil {
		u.checkpointModel = m // nil if there are too few rows
	}
	return nil
}

// figures are the JSON form of the line of a checkpoint. RMSE and Errors are for the rows since the
// last checkpoint, predicted by the model of that checkpoint.
type figures struct {
	Rows    int      `json:"rows"`
	Skipped int      `json:"skipped"`
	Rate    float64  `json:"rowsPerSecond"`
	Scored  int      `json:"scored"`
	RMSE    *float64 `json:"rmse,omitempty"`
	Errors  *float64 `json:"errors,omitempty"`
}

// show prints the line of a checkpoint.
func (u *updating) show(rows int) {
	rate := float64(rows-u.shown) / max(1e-3, time.Since(u.shownAt).Seconds())
	f := figures{Rows: rows, Skipped: u.skipped, Rate: rate, Scored: u.scored.rows}
	text := fmt.Sprintf("%s, %d skipped, %.0f rows/s", summary.Count(rows, "row"), f.Skipped, f.Rate)
	if n := float64(f.Scored); n > 0 {
		quality := ""
		wrong, rmse := u.scored.wrong/n, math.Sqrt(u.scored.squares/n)
		if u.learner.Recipe().Classes() != nil {
			f.Errors = &wrong
			quality = fmt.Sprintf("%.2f %% errors", 100*wrong)
		} else {
			f.RMSE = &rmse
			quality = "RMSE " + short("%.5g", rmse)
		}
		text += fmt.Sprintf("; %s on the last %s before training on them", quality, summary.Count(f.Scored, "row"))
	}
	u.scored, u.shown, u.shownAt = scored{}, rows, time.Now()
	if u.json {
		line, _ := json.Marshal(f) // numbers, which cannot fail
		text = string(line)
	}
	fmt.Fprintln(u.out, text)
}

// end saves the learner. It returns an error if no row was used.
func (u *updating) end(ctx context.Context, broken error) error {
	switch rows := u.learner.Rows(); {
	case rows == 0 && ctx.Err() != nil:
		return fmt.Errorf("stopped after %s, fewer than -first %d: no learner saved", summary.Count(u.waitRows, "row"), u.first)
	case rows == 0:
		return fmt.Errorf("no usable row, %d skipped", u.skipped)
	case rows == u.before && u.skipped > 0:
		return fmt.Errorf("no usable row, %d skipped; %s is unchanged", u.skipped, u.model)
	}
	if err := u.checkpoint(ctx, true); err != nil {
		return err
	}
	reportSurplus(u.err, u.surplus)
	u.drift.report(u.err)
	reason := "end of input"
	if ctx.Err() != nil || broken != nil {
		reason = "stopped"
	}
	_, err := fmt.Fprintf(u.err, "%s, learner saved to %s\n", reason, u.model)
	return err
}
