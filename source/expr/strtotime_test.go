package expr_test

import (
	"strings"
	"testing"
	"time"

	"sluice/source/expr"
)

func TestParseTimeReadsAbsoluteLayouts(t *testing.T) {
	const want = "2026-01-31T12:34:56Z"
	for _, text := range []string{
		"2026-01-31 12:34:56", "2026-01-31T12:34:56", "2026-01-31t12:34:56z", "  2026-01-31   12:34:56  ",
		"2026-01-31T12:34:56Z", "2026-01-31T14:34:56+02:00", "2026-01-31T14:34:56+0200", "2026-01-31 14:34:56 +02",
		"2026-01-31T07:04:56-05:30", "2026-01-31 12:34:56 UTC", "2026-01-31 12:34:56 GMT",
		"Sat, 31 Jan 2026 12:34:56 GMT",   // RFC 1123
		"Sat, 31 Jan 2026 13:34:56 +0100", // with a numeric zone
		"Sat, 31 Jan 2026 12:34:56 +0000 (UTC)",
		"Sat, 31 Jan 2026 13:34:56 +0100 (Mitteleuropäische Zeit)",
		"31 Jan 26 12:34:56 UT",            // RFC 822
		"Saturday, 31-Jan-26 12:34:56 GMT", // RFC 850
		"Sat, 31-Jan-2026 12:34:56 GMT",    // cookies
		"Sat Jan 31 12:34:56 2026",         // ANSI C
		"Sat Jan 31 12:34:56 GMT 2026",     // date(1)
		"Sat Jan 31 13:34:56 +0100 2026",   // Ruby
		"31/Jan/2026:12:34:56 +0000",       // logs
		"January 31, 2026 12:34:56 PM", "Jan 31 2026 12:34:56pm", "31 january 2026 12:34:56",
		"2026/01/31 12:34:56", "01/31/2026 12:34:56", "31.01.2026 12:34:56", "31-01-2026 12:34:56", "2026-1-31 12:34:56",
		"20260131 12:34:56", "20260131T123456", "20260131T123456Z", "20260131123456",
		"12:34:56 2026-01-31", "@1769862896",
	} {
		got, err := expr.ParseTime(text, time.Unix(0, 0))
		if err != nil || got.Format(time.RFC3339Nano) != want {
			t.Errorf("%q: got %v, %v", text, got, err)
		}
	}
}

func TestParseTimeFillsInWhatTheTextDoesNotSay(t *testing.T) {
	now := time.Date(2026, time.January, 31, 12, 34, 56, 789, time.UTC)
	for text, want := range map[string]string{
		"now":                               "2026-01-31T12:34:56.000000789Z",
		"NOW UTC":                           "2026-01-31T12:34:56.000000789Z",
		"today":                             "2026-01-31T00:00:00Z",
		"midnight":                          "2026-01-31T00:00:00Z",
		"yesterday":                         "2026-01-30T00:00:00Z",
		"Tomorrow":                          "2026-02-01T00:00:00Z",
		"tomorrow 11:00":                    "2026-02-01T11:00:00Z",
		"11:00 tomorrow":                    "2026-02-01T00:00:00Z", // as PHP: the word comes last
		"tomorrow +2 hours":                 "2026-02-01T02:00:00Z",
		"5 Mar +1 day":                      "2026-03-06T00:00:00Z",
		"Mar 5 -2 months":                   "2026-01-05T00:00:00Z",
		"today-7days":                       "2026-01-24T00:00:00Z",
		"+1week2days":                       "2026-02-09T12:34:56.000000789Z",
		"+2 weeks yesterday":                "2026-01-30T00:00:00Z", // as PHP: the word takes back days
		"yesterday +2 weeks":                "2026-02-13T00:00:00Z",
		"yesterday 5:07":                    "2026-01-30T05:07:00Z",
		"10:00":                             "2026-01-31T10:00:00Z",
		"12:05 am":                          "2026-01-31T00:05:00Z",
		"1:05 PM":                           "2026-01-31T13:05:00Z",
		"2026-01-31":                        "2026-01-31T00:00:00Z",
		"2026-02":                           "2026-02-01T00:00:00Z",
		"March 5":                           "2026-03-05T00:00:00Z",
		"5 March":                           "2026-03-05T00:00:00Z",
		"Sat, 31 Jan 2026":                  "2026-01-31T00:00:00Z",
		"2026-01-01T00:00:00.5Z":            "2026-01-01T00:00:00.5Z",
		"2026-01-01T00:00:00.123456789123Z": "2026-01-01T00:00:00.123456789Z",
		"2026-01-01 00:00:00,250":           "2026-01-01T00:00:00.25Z",
		"01-Jan-68":                         "2068-01-01T00:00:00Z",
		"01-Jan-70":                         "1970-01-01T00:00:00Z",
		"@-1":                               "1969-12-31T23:59:59Z",
		"@86400 +1 week":                    "1970-01-09T00:00:00Z",
	} {
		got, err := expr.ParseTime(text, now)
		if err != nil || got.Format(time.RFC3339Nano) != want {
			t.Errorf("%q: got %v, %v, want %s", text, got.Format(time.RFC3339Nano), err, want)
		}
	}
}

func TestParseTimeAddsAmounts(t *testing.T) {
	for text, want := range map[string]string{
		"+1 second": "2026-01-31T12:34:57Z", "-1 sec": "2026-01-31T12:34:55Z", "90 seconds": "2026-01-31T12:36:26Z",
		"+5 minutes": "2026-01-31T12:39:56Z", "2 mins": "2026-01-31T12:36:56Z", "+1min": "2026-01-31T12:35:56Z",
		"-13 hours": "2026-01-30T23:34:56Z", "-7 days": "2026-01-24T12:34:56Z", "- 7 days": "2026-01-24T12:34:56Z",
		"+1 week": "2026-02-07T12:34:56Z", "+1 fortnight": "2026-02-14T12:34:56Z",
		"-1 month": "2025-12-31T12:34:56Z", "+2 years": "2028-01-31T12:34:56Z",
		"+1 month":                      "2026-03-03T12:34:56Z",
		"2026-01-31 +1 month":           "2026-03-03T00:00:00Z",
		"2024-02-29 +1 year":            "2025-03-01T00:00:00Z",
		"2026-03-31 -1 month":           "2026-03-03T00:00:00Z",
		"2026-01-31 10:00 -7 days":      "2026-01-24T10:00:00Z",
		"2026-01-31T10:00+02:00 +1 day": "2026-02-01T08:00:00Z",
		"+1 week 2 days -4 hours":       "2026-02-09T08:34:56Z",
		"2 days ago":                    "2026-01-29T12:34:56Z",
		"1 month 2 days ago":            "2025-12-29T12:34:56Z",
		"2 days ago +1 hour":            "2026-01-29T13:34:56Z",
		"-2 days ago":                   "2026-02-02T12:34:56Z",
		"today, -1 month":               "2025-12-31T00:00:00Z",
	} {
		got, err := expr.ParseTime(text, noon)
		if err != nil || got.Format(time.RFC3339Nano) != want {
			t.Errorf("%q: got %v, %v, want %s", text, got.Format(time.RFC3339Nano), err, want)
		}
	}
}

func TestParseTimeReadsWhatPHPReads(t *testing.T) {
	for text, want := range map[string]string{
		"05-Mar-69":                         "2069-03-05T00:00:00Z",
		"Wednesday, 05-Mar-70":              "1970-03-11T00:00:00Z",
		"3/5/69":                            "2069-03-05T00:00:00Z",
		"20260305T1234Z":                    "2026-03-05T12:34:00Z",
		"2026-03-05T1234":                   "2026-03-05T12:34:00Z",
		"T10:30":                            "2026-01-31T10:30:00Z",
		"Sept 5, 2026":                      "2026-09-05T00:00:00Z",
		"March 5th, 2026":                   "2026-03-05T00:00:00Z",
		"5-March-2026":                      "2026-03-05T00:00:00Z",
		"2026-03-05,12:34:56":               "2026-03-05T12:34:56Z",
		"Thu Mar 05 2026 12:34:56 GMT+0100": "2026-03-05T11:34:56Z",
		"Thu Mar 05 2026 12:34:56 GMT+0100 (Central European Standard Time)": "2026-03-05T11:34:56Z",
		"Thu, 05 Mar 2026 12:34:56 GMT+0100 (CET)":                           "2026-03-05T11:34:56Z",
		"1 day,2 hours":                 "2026-02-01T14:34:56Z",
		"12:34:56 +1":                   "2026-01-31T11:34:56Z",
		"12:34:56 +1 day":               "2026-02-01T12:34:56Z",
		"noon+01:00":                    "2026-01-31T11:00:00Z",
		"12:34:56 (UTC)":                "2026-01-31T12:34:56Z",
		"12:34:56 +0100 (UTC)":          "2026-01-31T11:34:56Z",
		"+1 weekday +2 weekdays":        "2026-02-03T12:34:56Z",
		"Fri 2026-03-05":                "2026-03-06T00:00:00Z",
		"2026-03-05 12:00 Thu":          "2026-03-05T00:00:00Z",
		"Mon, 05 Mar 2026 12:00:00 GMT": "2026-03-09T12:00:00Z",
		"@90000 midnight":               "1970-01-02T01:00:00Z",
	} {
		got, err := expr.ParseTime(text, noon)
		if err != nil || got.Format(time.RFC3339Nano) != want {
			t.Errorf("%q: got %v, %v, want %s", text, got.Format(time.RFC3339Nano), err, want)
		}
	}
}

func TestParseTimeReadsRelativeMonthsWeeksAndDays(t *testing.T) {
	at := func(day string) time.Time {
		now, err := time.Parse(time.RFC3339, day+"T15:04:05Z")
		if err != nil {
			t.Fatal(err)
		}
		return now
	}
	const wednesday, sunday, monday, saturday, end = "2026-01-14", "2026-01-18", "2026-01-12", "2026-01-17", "2026-01-31"
	for _, c := range []struct{ now, text, want string }{
		{wednesday, "first day of next month", "2026-02-01T15:04:05Z"}, {wednesday, "First day of last month", "2025-12-01T15:04:05Z"},
		{wednesday, "first day of this month", "2026-01-01T15:04:05Z"}, {wednesday, "first day of", "2026-01-01T15:04:05Z"},
		{wednesday, "last day of this month", "2026-01-31T15:04:05Z"}, {wednesday, "last day of last month", "2025-12-31T15:04:05Z"},
		{end, "last day of next month", "2026-02-28T15:04:05Z"}, {end, "first day of next month midnight", "2026-02-01T00:00:00Z"},
		{end, "first day of -1 month", "2025-12-01T15:04:05Z"}, {end, "midnight first day of next month -1 second", "2026-01-31T23:59:59Z"},
		{wednesday, "2024-01-30 last day of next month", "2024-02-29T00:00:00Z"}, {wednesday, "first day of next year", "2027-01-01T15:04:05Z"},

		{wednesday, "monday this week", "2026-01-12T00:00:00Z"}, {sunday, "monday this week", "2026-01-12T00:00:00Z"}, {monday, "monday this week", "2026-01-12T00:00:00Z"},
		{wednesday, "sunday this week", "2026-01-18T00:00:00Z"}, {sunday, "sunday this week", "2026-01-18T00:00:00Z"}, {wednesday, "this week friday", "2026-01-16T00:00:00Z"},
		{wednesday, "monday next week", "2026-01-19T00:00:00Z"}, {wednesday, "friday last week 10:00", "2026-01-09T10:00:00Z"},
		{wednesday, "this week", "2026-01-12T15:04:05Z"}, {sunday, "this week", "2026-01-12T15:04:05Z"}, // as PHP: its Monday
		{wednesday, "next week", "2026-01-19T15:04:05Z"}, {wednesday, "last week", "2026-01-05T15:04:05Z"}, {monday, "previous week", "2026-01-05T15:04:05Z"},

		{wednesday, "last monday", "2026-01-12T00:00:00Z"}, {monday, "last monday", "2026-01-05T00:00:00Z"}, {sunday, "last monday", "2026-01-12T00:00:00Z"},
		{wednesday, "next monday", "2026-01-19T00:00:00Z"}, {monday, "next monday", "2026-01-19T00:00:00Z"}, {monday, "this monday", "2026-01-12T00:00:00Z"},
		{monday, "next monday noon", "2026-01-19T12:00:00Z"}, {monday, "2026-01-31 next monday", "2026-02-02T00:00:00Z"}, {monday, "last sat -1 week", "2026-01-03T00:00:00Z"},

		{wednesday, "noon", "2026-01-14T12:00:00Z"}, {wednesday, "yesterday noon", "2026-01-13T12:00:00Z"}, {wednesday, "noon yesterday", "2026-01-13T00:00:00Z"},
		{wednesday, "2026-02-03 noon", "2026-02-03T12:00:00Z"}, {wednesday, "noon +1 hour", "2026-01-14T13:00:00Z"},

		{wednesday, "next month", "2026-02-14T15:04:05Z"}, {end, "next month", "2026-03-03T15:04:05Z"}, {wednesday, "last month", "2025-12-14T15:04:05Z"},
		{wednesday, "next year", "2027-01-14T15:04:05Z"}, {wednesday, "last year midnight", "2025-01-14T00:00:00Z"}, {wednesday, "next day", "2026-01-15T15:04:05Z"},

		{wednesday, "+3 weekdays", "2026-01-19T15:04:05Z"}, {wednesday, "2 weekdays", "2026-01-16T15:04:05Z"}, {wednesday, "+5 weekdays", "2026-01-21T15:04:05Z"},
		{saturday, "+1 weekday", "2026-01-19T15:04:05Z"}, {saturday, "+5 weekdays", "2026-01-23T15:04:05Z"}, {sunday, "-1 weekday", "2026-01-16T15:04:05Z"},
		{wednesday, "-7 weekdays", "2026-01-05T15:04:05Z"}, {monday, "3 weekdays ago", "2026-01-07T15:04:05Z"}, {saturday, "-5 weekdays", "2026-01-12T15:04:05Z"},
		{wednesday, "+11 weekdays midnight", "2026-01-29T00:00:00Z"},
	} {
		got, err := expr.ParseTime(c.text, at(c.now))
		if err != nil || got.Format(time.RFC3339Nano) != c.want {
			t.Errorf("%q on %s: got %v, %v, want %s", c.text, c.now, got.Format(time.RFC3339Nano), err, c.want)
		}
	}
}

func TestParseTimeTakesTheDayFromNowInUTC(t *testing.T) {
	late := time.Date(2026, time.January, 31, 23, 30, 0, 0, time.UTC)
	for text, want := range map[string]string{
		"today":        "2026-01-31T00:00:00Z",
		"10:00 +01:00": "2026-01-31T09:00:00Z",
	} {
		got, err := expr.ParseTime(text, late)
		if err != nil || got.Format(time.RFC3339) != want {
			t.Errorf("%q: got %v, %v, want %s", text, got, err, want)
		}
	}
}

func TestParseTimeRefusesWhatItDoesNotKnowWithoutShowingIt(t *testing.T) {
	for _, text := range []string{
		"", " ", ",", "s3cret", "2026", "1769862896", "7", "@", "@x", "@1 2026-01-01", "today @1", "@1 10:00", "@999999999999999",
		"2026-13-01", "2026-00-00", "0000-00-00 00:00:00", "2026-01-32", "2026-02-31", "2026-01-00", "2026-", "2026-01-31-05:00",
		"2026-01-31 25:00", "2026-01-31 10:60", "2026-01-31 10:00:99", "24:01", "13:00 pm", "0:30 pm", "2026-03-05T3:15pm", "T3:15pm", "05.03.2600:00:00", "05.03.26", "5 Mar, 2026", "5 Mar -2 months",
		"Mar 5 12:34:56 +1 day", "gmt+0100", "10:00 UTC+0100", "+1 monday", "monday tuesday 2026-03-05", "+0 weekdays",
		"2026-01-31 2026-01-30", "10:00 11:00", "10:00 UTC GMT", "10:00 CET", "10:00 +02:00 +03:00", "24:00", "10:00 +25:00", "10:00 XYZ", "10:00 Europe/Prague",
		"2026-01-31 +02:00", "+2", "-", "+ days", "5 lightyears", "+1 dayss", "99999999999999999999 days",
		"9999999 years", "+400000000000 seconds +400000000000 seconds", "9999-12-31 +1 day", "0000-01-01 -1 second",
		"monday", "weekdays", "next", "next foo", "first monday of next month", "third day", "monday ago", "last monday ago", "first day", "first day of of",
		"first day of first day of", "next monday next friday", "this week next week", "noon 10:00", "back of 7pm", "Sat Sun 2026-01-31", "2026-01-31 x", "(today)", "today)", "10:00 2026",
		"2026-01-31 12:34:56 (EST)", "2026-01-31 (12:00)", "today (-7 days)", "-7 day(s)", strings.Repeat("now ", 300),
	} {
		got, err := expr.ParseTime(text, noon)
		if err == nil {
			t.Errorf("%q: got %v", text, got)
		} else if strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
