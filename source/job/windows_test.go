package job_test

import (
	"errors"
	"testing"
	"time"

	"sluice/pipeline/item"
	"sluice/source/expr"
	"sluice/source/job"
)

func TestATimeIsDividedIntoWindows(t *testing.T) {
	at := func(text string) time.Time {
		all, err := time.Parse(time.RFC3339, text+"T00:00:00Z")
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	for name, c := range map[string]struct {
		from, to, step string
		gap            time.Duration
		// The windows, or the member that is wrong.
		want string
	}{
		"the last one is clipped":    {from: "2026-01-01", to: "2026-01-04", step: "2 days", want: "01-01..01-03 01-03..01-04 "},
		"a month is of the calendar": {from: "2026-01-15", to: "2026-03-15", step: "1 month", want: "01-15..02-15 02-15..03-15 "},
		"the gap is taken off":       {from: "2026-01-01", to: "2026-01-05", step: "2 days", gap: 24 * time.Hour, want: "01-01..01-02 01-03..01-04 "},
		"never before its beginning": {from: "2026-01-01", to: "2026-01-04", step: "2 days", gap: 36 * time.Hour, want: "01-01..01-01 01-03..01-03 "},
		"nothing lies between":       {from: "2026-01-02", to: "2026-01-02", step: "1 day"},
		"the end is before":          {from: "2026-01-02", to: "2026-01-01", step: "1 day"},
		"a step beyond 9999":         {from: "9999-11-30", to: "9999-12-31", step: "1 month", want: "11-30..12-30 12-30..12-31 "},
		"a long step beyond 9999":    {from: "9999-12-30", to: "9999-12-31", step: "10000 years", want: "12-30..12-31 "},
		"a step beyond the year 0":   {from: "0000-01-01", to: "0000-01-03", step: "-2 days", want: "step"},
		"a step back":                {from: "2026-01-02", to: "2026-01-01", step: "-1 day", want: "step"},
		"a step that is a date":      {from: "2026-01-01", to: "2026-01-09", step: "2026-01-03", want: "step"},
		"a gap as long as a step":    {from: "2026-01-01", to: "2026-01-02", step: "1 day", gap: 24 * time.Hour, want: "gap"},
		"too many":                   {from: "1990-01-01", to: "2026-01-01", step: "1 hour", want: "step"},
	} {
		timing := &job.Timing{Step: expr.TimeFrom(c.step), Gap: c.gap, Format: "m-d"}
		all, err := timing.Divide(at(c.from), at(c.to))
		got := ""
		for _, w := range all {
			got += item.Unquote(w.From.JSON) + ".." + item.Unquote(w.To.JSON) + " "
		}
		var wrong *job.WindowsError
		if errors.As(err, &wrong) {
			got = wrong.Member
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q (%v)", name, got, c.want, err)
		}
	}
}
