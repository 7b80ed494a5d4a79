package expr_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	tries "sluice/fixtures/cases"
	"sluice/source/expr"
)

// phpTimes reads lines of Unix seconds, a tab and a text, and writes what strtotime makes of each.
const phpTimes = `date_default_timezone_set("UTC");
while (($line = fgets(STDIN)) !== false) {
  [$now, $text] = explode("\t", rtrim($line, "\n"), 2);
  $t = strtotime($text, (int)$now);
  echo $t === false ? "refused" : $t, "\n";
}`

// bases are a Saturday, a Sunday late in the evening, a Wednesday and a leap day.
var bases = []int64{1769862896, 1768779000, 1768402800, 1709164800}

// Two things are read although PHP refuses them: the name of a zone behind it, as browsers write it, and fractions of a
// second behind a comma, as ISO 8601 allows. They are compared with PHP's time of the text without them.
var (
	zoneName = regexp.MustCompile(`^(.*) *\([^()]*\)[ \t]*$`)
	comma    = regexp.MustCompile(`^(.*:\d\d:\d\d),\d{1,3}(Z|[-+][\d:]+)?$`)
)

func plain(text string) string {
	text = zoneName.ReplaceAllString(text, "$1")
	return comma.ReplaceAllString(text, "$1$2")
}

// Whatever text it is, the time is that of PHP, or none.
func TestParseTimeNeverReadsAnotherTimeThanPHP(t *testing.T) {
	texts := append(enumeratedTimes(), randomTimes(tries.Few(1500, 20_000))...)
	all := append(plainly(texts), texts...)
	answers := askPHP(t, all)
	read, readByPHP := 0, 0
	for i, text := range texts {
		base := baseOf(i)
		want := answers[len(texts)+i]
		if want == refused {
			want = answers[i]
		} else {
			readByPHP++
		}
		got, err := expr.ParseTime(text, time.Unix(base, 0))
		if err != nil {
			continue
		}
		read++
		if ours := strconv.FormatInt(got.Unix(), 10); ours != want {
			t.Errorf("%q on %d: %s, in PHP %s", text, base, ours, want)
		}
	}
	t.Logf("%d texts, of which PHP reads %d and we %d", len(texts), readByPHP, read)
	if read < readByPHP/3 {
		t.Error("too few are read to compare them")
	}
}

// baseOf is the time that the text of a number is seen from.
func baseOf(i int) int64 { return bases[i%len(bases)] }

func plainly(texts []string) (all []string) {
	for _, text := range texts {
		all = append(all, plain(text))
	}
	return all
}

// refused is the answer to a text that is no time.
const refused = "refused"

// askPHP asks one process for all times.
func askPHP(t *testing.T, texts []string) []string {
	var in strings.Builder
	for i, text := range texts {
		fmt.Fprintf(&in, "%d\t%s\n", baseOf(i%(len(texts)/2)), text)
	}
	cmd := exec.CommandContext(t.Context(), lookPHP(t), "-n", "-r", phpTimes)
	cmd.Stdin = strings.NewReader(in.String())
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	answers := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(answers) != len(texts) {
		t.Fatalf("PHP has %d answers to %d texts", len(answers), len(texts))
	}
	return answers
}

// lookPHP returns the path of php. In CI it must be there.
func lookPHP(t *testing.T) string {
	path, err := exec.LookPath("php")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("there is no php to compare with")
		}
		t.Skip("there is no php to compare with")
	}
	return path
}

// The pieces are divided by bars.
var (
	dates = strings.Split("2026-03-05|2026-3-5|2026/03/05|20260305|05.03.2026|5-3-2026|3/5/2026|3/5|2026-03|5 Mar 2026|"+
		"5 March|Mar 5|March 5, 2026|Sept 5, 2026|5-March-2026|05-Mar-69|05-Mar-70|5 Mar 26|Mar-05-26|"+
		"2026-Mar-05|Mar 2026|2026 March|5th March 2026|March 1st, 2026|29 Feb|2026-02-29|05.03.26|"+
		"69-03-05|2026-065|2026W10|2026-W10-4|@86400|@1772714096|5 Mar, 2026|5 V 2026|Jan|31/Jan/2026|"+
		"+2026-03-05|-2026-03-05|March 5TH|9999-12-31|0000-01-01", "|")
	clocks = strings.Split("12:34:56|12:34|T12:34:56|t12:34:56|T1234|T10:30|T123456|T7|1234|123456|3:15pm|3:15 pm|12 am|"+
		"12:00 a.m.|0:30 pm|T3:15pm|13:00 pm|12:34:56.789|12.34|12.34.56|24:00|23:59:60|noon|midnight|"+
		"1:2:3|3pm|2026|1999|9:5|12:34:56:789", "|")
	zones = strings.Split("Z|z|UTC|GMT|(UTC)|(GMT)|+01:00|+0100|+1|+01|-5|-0530|GMT+0100|GMT-5|gmt+0100|UTC+0100|+123|+25|"+
		"CET|EST|(CET)|Europe/Prague|GMT+0100 (UTC)|+0000 (UTC)|+14:00|+010000|S|pm|(+)|Sept-T", "|")
	words = strings.Split("now|today|yesterday|tomorrow|noon|midnight|ago|first day of|last day of|first monday of|first|"+
		"and|of|back of 7pm|week|weekdays|first day of next month|last day of this month|"+
		"monday this week|this week|2 days ago|1 month 2 days ago", "|")
	weekdays = strings.Split("Mon|monday|Tue|Wed|wednesday|Thu|Thursday|Fri|Sat|saturday|Sun|Sunday|mondays|Thurs|satur", "|")
	which    = strings.Split("last|previous|this|next|first|third|Next", "|")
	unitsOf  = strings.Split("sec|second|seconds|min|minutes|hour|hours|day|days|week|weeks|fortnight|month|months|year|years|"+
		"weekday|weekdays|ms|usec|monday|sat|dayss", "|")
	numbers = strings.Split("1|2|3|5|7|10|20|31|100|0|2026|4000", "|")
	signs   = strings.Split("+|-| |+ |- |--|+-|", "|")
	gaps    = strings.Split(" | | | | |,|, |  |-|T|.|/|", "|")
)

// enumeratedTimes are dates with times of day, these with zones, and amounts with dates and weekdays.
func enumeratedTimes() (all []string) {
	step := tries.Few(23, 1)
	for i, date := range dates {
		for j, clock := range clocks {
			for k, gap := range []string{" ", "", ",", "T", ", "} {
				if (i+j+k)%step == 0 {
					all = append(all, date+gap+clock, clock+gap+date)
				}
			}
		}
		for j, day := range weekdays {
			if (i+j)%step == 0 {
				all = append(all, day+" "+date, day+", "+date, date+" "+day, date+" last "+day, "next "+day+" "+date)
			}
		}
	}
	for i, clock := range clocks {
		for j, zone := range zones {
			if (i+j)%step == 0 {
				all = append(all, clock+zone, clock+" "+zone, "2026-03-05 "+clock+zone)
				all = append(all, "Mar 5 "+clock+" "+zone, "Sat Jan 31 "+clock+" "+zone+" 2026")
			}
		}
	}
	for i, unit := range unitsOf {
		for j, other := range append(which, numbers...) {
			if (i+j)%step == 0 {
				all = append(all, other+" "+unit, "+"+other+" "+unit, "-"+other+unit, other+" "+unit+" ago")
				all = append(all, "12:34 "+other+" "+unit, "Mar 5 "+other+" "+unit)
			}
		}
	}
	return all
}

// randomTimes are texts made of pieces, some of them with a typing error. They are the same in each run.
func randomTimes(n int) (all []string) {
	r := rand.New(rand.NewPCG(29, 7))
	one := func(of []string) string { return of[r.IntN(len(of))] }
	pieces := []func() string{
		func() string { return one(dates) },
		func() string { return one(clocks) },
		func() string { return one(clocks) + one([]string{"", " "}) + one(zones) },
		func() string { return one(zones) },
		func() string { return one(words) },
		func() string { return one(weekdays) },
		func() string { return one(which) + " " + one(append(unitsOf, weekdays...)) },
		func() string { return one(signs) + one(numbers) + one([]string{"", " "}) + one(unitsOf) },
		func() string { return one(signs) + one(numbers) + " " + one(unitsOf) },
		func() string { return one(numbers) },
	}
	for range n {
		text := pieces[r.IntN(len(pieces))]()
		for range r.IntN(4) {
			text += one(gaps) + pieces[r.IntN(len(pieces))]()
		}
		if r.IntN(6) == 0 {
			at := r.IntN(len(text))
			typed := one([]string{"", "", " ", "0", "1", "2", ":", "-", "+", ".", ",", "T", "a", "d", "s"})
			text = text[:at] + typed + text[at+r.IntN(2):]
		}
		all = append(all, text)
	}
	return all
}
