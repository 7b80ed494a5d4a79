package expr_test

import (
	"strconv"
	"testing"
	"time"
)

func TestDateKnowsTheLettersOfPHP(t *testing.T) {
	saturday := noon
	sunday := time.Date(2021, time.January, 3, 0, 5, 9, 0, time.UTC) // of the last ISO week of 2020
	for _, tt := range []struct {
		letter, saturday, sunday string
	}{
		{"d", "31", "03"}, {"D", "Sat", "Sun"}, {"j", "31", "3"}, {"l", "Saturday", "Sunday"},
		{"N", "6", "7"}, {"S", "st", "rd"}, {"w", "6", "0"}, {"z", "30", "2"},
		{"W", "05", "53"}, {"o", "2026", "2020"},
		{"F", "January", "January"}, {"M", "Jan", "Jan"}, {"m", "01", "01"}, {"n", "1", "1"}, {"t", "31", "31"},
		{"L", "0", "0"}, {"Y", "2026", "2021"}, {"y", "26", "21"}, {"x", "2026", "2021"}, {"X", "+2026", "+2021"},
		{"a", "pm", "am"}, {"A", "PM", "AM"}, {"B", "565", "045"},
		{"g", "12", "12"}, {"h", "12", "12"}, {"G", "12", "0"}, {"H", "12", "00"},
		{"i", "34", "05"}, {"s", "56", "09"}, {"u", "000000", "000000"}, {"v", "000", "000"},
		{"e", "UTC", "UTC"}, {"I", "0", "0"}, {"O", "+0000", "+0000"}, {"P", "+00:00", "+00:00"},
		{"p", "Z", "Z"}, {"T", "UTC", "UTC"}, {"Z", "0", "0"},
		{"c", "2026-01-31T12:34:56+00:00", "2021-01-03T00:05:09+00:00"},
		{"r", "Sat, 31 Jan 2026 12:34:56 +0000", "Sun, 03 Jan 2021 00:05:09 +0000"},
		{"U", "1769862896", "1609632309"},
	} {
		for at, want := range map[time.Time]string{saturday: tt.saturday, sunday: tt.sunday} {
			if got := eval(t, call("date", `"`+tt.letter+`"`, strconv.FormatInt(at.Unix(), 10))); got != `"`+want+`"` {
				t.Errorf("%s of %s: got %s, want %s", tt.letter, at, got, want)
			}
		}
	}
}

func TestDateDetails(t *testing.T) {
	cases{
		{"escapes", call("date", `"\\Y\\\\Y é \\é k"`), `"Y\\2026 é é k"`},
		{"a backslash at the end", call("date", `"Y\\"`), `"2026\\"`},
		{"February of a leap year", call("date", `"t L z"`, call("strtotime", `"2024-02-29"`)), `"29 1 59"`},
		{"a century that is none", call("date", `"t L"`, call("strtotime", `"1900-02-01"`)), `"28 0"`},
		{"before 1970", call("date", `"D, d M Y H:i:s B"`, `-1`), `"Wed, 31 Dec 1969 23:59:59 041"`},
		{"the one o'clock", call("date", `"g h A"`, call("strtotime", `"2026-01-01 13:00"`)), `"1 01 PM"`},
		{"a small year", call("date", `"Y y o"`, call("strtotime", `"0987-06-05"`)), `"0987 87 0987"`},
	}.run(t)
}

func TestDateEndsDaysAsEnglishDoes(t *testing.T) {
	for day, want := range map[int]string{1: "st", 2: "nd", 3: "rd", 4: "th", 11: "th", 12: "th", 13: "th", 21: "st", 22: "nd", 23: "rd", 30: "th", 31: "st"} {
		at := time.Date(2026, time.January, day, 0, 0, 0, 0, time.UTC).Unix()
		if got := eval(t, call("date", `"S"`, strconv.FormatInt(at, 10))); got != `"`+want+`"` {
			t.Errorf("%d: got %s, want %s", day, got, want)
		}
	}
}
