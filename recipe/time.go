package recipe

import (
	"math"
	"time"

	"github.com/rkhs-go/rkhs/dataset"
)

const (
	day  = 24 * 60 * 60.0
	week = 7 * day
	year = 365.2425 * day // of the Gregorian calendar, on the mean
)

// years returns the time since the year 1970 began, in years.
func years(t time.Time) float64 { return float64(t.Unix()) / year }

func hasClock(c *dataset.Column, row int) bool {
	t, ok, err := c.Time(row)
	return err == nil && ok && t.Hour()+t.Minute()+t.Second() > 0
}

// timePhases stores sine and cosine of the parts of a year, a week and, if dst has place, a
// day that have passed.
func timePhases(dst []float64, t time.Time) {
	seconds := float64(t.Hour()*3600 + t.Minute()*60 + t.Second())
	parts := []float64{(float64(t.YearDay()-1)*day + seconds) / year, (float64(t.Weekday())*day + seconds) / week, seconds / day}
	for k := range len(dst) / 2 {
		dst[2*k], dst[2*k+1] = math.Sincos(2 * math.Pi * parts[k])
	}
}
