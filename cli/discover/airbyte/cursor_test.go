package airbyte_test

import (
	"encoding/json"
	"strings"
	"testing"

	"sluice/cli/discover/airbyte"
)

// incremental is a manifest of one stream, whose cursor sends both bounds.
const incremental = `
type: DeclarativeSource
streams:
  - type: DeclarativeStream
    name: orders
    retriever:
      type: SimpleRetriever
      requester: {type: HttpRequester, url_base: https://api.example.com, path: orders}
      record_selector: {type: RecordSelector, extractor: {type: DpathExtractor, field_path: [items]}}
    incremental_sync:
      type: DatetimeBasedCursor
      start_time_option: {type: RequestOption, inject_into: request_parameter, field_name: from}
      end_time_option: {type: RequestOption, inject_into: request_parameter, field_name: to}
`

// shown is what came of the only stream: its parameters and windows, and else its verdict and reasons.
func shown(t *testing.T, manifest, values string) string {
	t.Helper()
	r, err := airbyte.Convert(airbyte.Input{Now: clock, Manifest: []byte(manifest), Values: []byte(values)})
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	var document struct {
		Config struct{ Jobs []map[string]json.RawMessage }
	}
	if r.Configuration != nil {
		if err := json.Unmarshal(r.Configuration, &document); err != nil {
			t.Fatal(err)
		}
		job := document.Config.Jobs[0]
		for _, name := range []string{"params", "windows"} {
			if job[name] != nil {
				all = append(all, compact(job[name]))
			}
		}
	}
	o := r.Streams[0]
	if o.Verdict != airbyte.Whole {
		all = append(all, string(o.Verdict))
	}
	for _, reason := range o.Reasons {
		all = append(all, reason.Place+": "+reason.Text)
	}
	return strings.Join(all, "\n")
}

// compact writes functions as calls, so that a line has them.
func compact(text []byte) string {
	var v any
	_ = json.Unmarshal(text, &v)
	return call(v)
}

func call(v any) string {
	object, ok := v.(map[string]any)
	if !ok {
		text, _ := json.Marshal(v)
		return strings.ReplaceAll(string(text), `\\`, `\`)
	}
	if name, ok := object["function"].(string); ok {
		var all []string
		for _, a := range object["args"].([]any) {
			all = append(all, call(a))
		}
		return name + "(" + strings.Join(all, ", ") + ")"
	}
	for _, name := range []string{"attr", "window", "placeholder"} {
		if of, ok := object[name].(string); ok {
			return name + "." + of
		}
	}
	var all []string
	for _, name := range []string{"from", "to", "step", "gap", "format"} {
		if of, ok := object[name]; ok {
			all = append(all, name+": "+call(of))
		}
	}
	return strings.Join(all, ", ")
}

func TestATimeIsAskedForAsTheCursorSays(t *testing.T) {
	for _, c := range []struct{ name, cursor, want string }{
		{
			name: "since the last one",
			cursor: `{cursor_field: updated, datetime_format: "%Y-%m-%dT%H:%M:%SZ",
        start_datetime: "2024-01-01T00:00:00Z"}`,
			want: `from: last("updated", "2024-01-01T00:00:00Z"), to: date("Y-m-d\TH:i:s\Z")`,
		},
		{
			name: "a lookback",
			cursor: `{cursor_field: updated, datetime_format: "%Y-%m-%d", start_datetime: "2024-01-01",
        lookback_window: P1M2DT3H}`,
			want: `from: last("updated", "2024-01-01", "-1 month -2 days -3 hours", "2024-01-01"), to: date("Y-m-d")`,
		},
		{
			name: "items with another format",
			cursor: `{cursor_field: updated, datetime_format: "%d/%m/%Y",
        cursor_datetime_formats: ["%Y-%m-%dT%H:%M:%S.%f%z"], start_datetime: "31/01/2024"}`,
			want: `from: date("d/m/Y", strtotime(last("updated", "2024-01-31"))), to: date("d/m/Y")`,
		},
		{
			name:   "numbers",
			cursor: `{cursor_field: at, datetime_format: "%s", start_datetime: "1704067200"}`,
			want:   `from: last("at", "1704067200"), to: date("U")`,
		},
		{
			name: "numbers with a lookback",
			cursor: `{cursor_field: at, datetime_format: "%ms", start_datetime: "1704067200000",
        lookback_window: PT10M}`,
			want: `from: date("Uv", strtotime("-10 minutes", sprintf("%.10s", sprintf("%013d", last("at", 1704067800000, "", 1704067800000))))), to: date("Uv")`,
		},
		{
			name: "an end",
			cursor: `{cursor_field: updated, datetime_format: "%Y-%m-%d", start_datetime: "2024-01-01",
        end_datetime: "2024-02-01"}`,
			want: `from: last("updated", "2024-01-01"), to: "2024-02-01"`,
		},
		{
			name: "windows",
			cursor: `{cursor_field: updated, datetime_format: "%Y-%m-%dT%H:%M:%SZ",
        start_datetime: "2024-01-01T00:00:00Z", step: P30D, cursor_granularity: PT1S}`,
			want: `from: window.from, to: window.to
from: last("updated", "2024-01-01"), step: "30 days", gap: "1 second"`,
		},
		{
			name: "windows of days, up to today",
			cursor: `{cursor_field: day, datetime_format: "%Y-%m-%d", start_datetime: "2024-01-01", step: P1D,
        cursor_granularity: P1D}`,
			want: `from: window.from, to: window.to
from: last("day", "2024-01-01"), step: "1 day", gap: "1 second", format: "Y-m-d"`,
		},
		{
			name: "windows up to a day",
			cursor: `{cursor_field: day, datetime_format: "%Y-%m-%d", start_datetime: "2024-01-01",
        end_datetime: "2024-12-31", step: P1M, cursor_granularity: P1D}`,
			want: `from: window.from, to: window.to
from: last("day", "2024-01-01"), to: "2024-12-31T00:00:01Z", step: "1 month", gap: "1 second", format: "Y-m-d"`,
		},
		{
			name: "windows that end days short of the next",
			cursor: `{cursor_field: at, datetime_format: "%Y-%m-%dT%H:%M:%SZ",
        start_datetime: "2024-01-01T00:00:00Z", step: P1W, cursor_granularity: P1D}`,
			want: `from: window.from, to: window.to
from: last("at", "2024-01-01"), to: "+1 day", step: "1 week", gap: "1 day"`,
		},
		{
			name: "windows that end a fraction short of the next",
			cursor: `{cursor_field: at, datetime_format: "%Y-%m-%dT%H:%M:%S.%fZ",
        start_datetime: "2024-01-01T00:00:00.000Z", step: P1Y, cursor_granularity: PT0.001S}`,
			want: `from: date("Y-m-d\TH:i:s.u\Z", window.from), to: date("Y-m-d\TH:i:s.999000\Z", window.to)
from: last("at", "2024-01-01"), step: "1 year", gap: "1 second", format: "U"`,
		},
		{
			name: "windows whose ends are the starts of the next, up to now",
			cursor: `{cursor_field: at, datetime_format: "%Y-%m-%dT%H:%M:%S%z",
        start_datetime: "2024-01-01T00:00:00Z",
        end_datetime: "{{ now_utc().strftime('%Y-%m-%dT%H:%M:%S%z') }}", step: P30D,
        cursor_granularity: PT0S}`,
			want: `from: window.from, to: window.to
from: last("at", "2024-01-01"), step: "30 days", format: "Y-m-d\TH:i:sO"`,
		},
		{
			name: "windows up to a day before today",
			cursor: `{cursor_field: day, datetime_format: "%Y-%m-%d", start_datetime: "2024-01-01",
        end_datetime: "{{ day_delta(-1, format='%Y-%m-%d') }}", step: P1M,
        cursor_granularity: P1D}`,
			want: `from: window.from, to: window.to
from: last("day", "2024-01-01"), to: strtotime("+1 second", strtotime(date("Y-m-d", strtotime("-1 days")))), step: "1 month", gap: "1 second", format: "Y-m-d"`,
		},
		{
			name: "windows of numbers",
			cursor: `{cursor_field: at, datetime_format: "%s", start_datetime: "1704067200", step: P30D,
        cursor_granularity: PT1S, lookback_window: P1D}`,
			want: `from: window.from, to: window.to
from: strtotime("-1 day", last("at", 1704153600, "", 1704153600)), step: "30 days", gap: "1 second", format: "U"`,
		},
		{
			name: "a start with a time of day where days are sent",
			cursor: `{cursor_field: day, datetime_format: "%Y-%m-%d",
        start_datetime: {datetime: "2024-01-01T15:00:00Z",
        datetime_format: "%Y-%m-%dT%H:%M:%SZ"}, step: P1M, cursor_granularity: P1D}`,
			want: `from: window.from, to: window.to
from: last("day", "2024-01-01"), step: "1 month", gap: "1 second", format: "Y-m-d"`,
		},
		{
			name: "a start that is written anew",
			cursor: `{cursor_field: at, datetime_format: "%Y-%m-%dT%H:%M:%S.%fZ",
        start_datetime: "{{ config['start'] }}"}`,
			want: `from: last("at", "2024-01-01T00:00:00.000000Z"), to: date("Y-m-d\TH:i:s.u\Z")`,
		},
		{
			name: "a zone that is written anew, as those of items",
			cursor: `{cursor_field: at, datetime_format: "%Y-%m-%dT%H:%M:%S%z",
        start_datetime: "2024-01-01T00:00:00Z"}`,
			want: `from: date("Y-m-d\TH:i:sO", strtotime(last("at", "2024-01-01"))), to: date("Y-m-d\TH:i:sO")`,
		},
		{
			name: "a zone of its own",
			cursor: `{cursor_field: at, datetime_format: "%Y-%m-%dT%H:%M:%S%z",
        start_datetime: "2024-01-01T02:00:00+02:00"}`,
			want: `from: last("at", "2024-01-01T02:00:00+0200"), to: date("Y-m-d\TH:i:sO")`,
		},
		{
			name: "windows from a time in another zone",
			cursor: `{cursor_field: at, datetime_format: "%Y-%m-%dT%H:%M:%S%z",
        start_datetime: "2024-01-01T02:00:00+0200", step: P1D, cursor_granularity: PT1S}`,
			want: `refused
streams[0].incremental_sync.start_datetime: the time has an offset, which Airbyte keeps and sluice does not: write the time in UTC`,
		},
		{
			name: "an end that has not come yet",
			cursor: `{cursor_field: at, datetime_format: "%Y-%m-%d", start_datetime: "2024-01-01",
        end_datetime: "2999-12-31"}`,
			want: `from: last("at", "2024-01-01"), to: date("Y-m-d")
superset
streams[0].incremental_sync.end_datetime: the end is after now: each run asks until its own time, also when the end has passed`,
		},
		{
			name: "an end that never comes",
			cursor: `{cursor_field: at, datetime_format: "%Y-%m-%d", start_datetime: "2024-01-01",
        end_datetime: "{{ day_delta(1, '%Y-%m-%d') }}"}`,
			want: `from: last("at", "2024-01-01"), to: date("Y-m-d")`,
		},
		{
			name:   "a start that has not come yet",
			cursor: `{cursor_field: at, datetime_format: "%Y-%m-%d", start_datetime: "2999-12-31"}`,
			want: `refused
streams[0].incremental_sync.start_datetime: the start is after now, so Airbyte sends no request yet`,
		},
		{
			name: "an end before the start",
			cursor: `{cursor_field: at, datetime_format: "%Y-%m-%d", start_datetime: "2024-01-02",
        end_datetime: "2024-01-02"}`,
			want: `refused
streams[0].incremental_sync.end_datetime: the end is not after the start, so Airbyte sends no request`,
		},
		{
			name: "an end that is a window of its own",
			cursor: `{cursor_field: at, datetime_format: "%Y-%m-%d", start_datetime: "2024-01-01", step: P2D,
        cursor_granularity: P1D, end_datetime: "2024-01-05"}`,
			want: `from: window.from, to: window.to
from: last("at", "2024-01-01"), to: "2024-01-05T00:00:01Z", step: "2 days", gap: "1 second", format: "Y-m-d"
superset
streams[0].incremental_sync: the end is a window of its own, which Airbyte joins to the window before: the windows cover the same time`,
		},
		{
			name: "an end that is no window of its own",
			cursor: `{cursor_field: at, datetime_format: "%Y-%m-%d", start_datetime: "2024-01-01", step: P2D,
        cursor_granularity: P1D, end_datetime: "2024-01-06"}`,
			want: `from: window.from, to: window.to
from: last("at", "2024-01-01"), to: "2024-01-06T00:00:01Z", step: "2 days", gap: "1 second", format: "Y-m-d"`,
		},
		{
			name: "days up to today",
			cursor: `{cursor_field: at, datetime_format: "%Y-%m-%d", start_datetime: "2024-01-01", step: P1D,
        cursor_granularity: P1D, end_datetime: "{{ today_utc() }}"}`,
			want: `from: window.from, to: window.to
from: last("at", "2024-01-01"), to: strtotime("+1 second", strtotime(date("Y-m-d", strtotime("today")))), step: "1 day", gap: "1 second", format: "Y-m-d"
superset
streams[0].incremental_sync: the end is a window of its own, which Airbyte joins to the window before: the windows cover the same time`,
		},
		{
			name: "months from the 31st",
			cursor: `{cursor_field: at, datetime_format: "%Y-%m-%d", start_datetime: "2024-01-31", step: P1M,
        cursor_granularity: P1D}`,
			want: `from: window.from, to: window.to
from: last("at", "2024-01-31"), step: "1 month", gap: "1 second", format: "Y-m-d"
superset
streams[0].incremental_sync: if a month lacks the day of the start, windows end in the next month and not on its last day: the windows cover the same time`,
		},
		{
			name: "months of which each has the day of the start",
			cursor: `{cursor_field: at, datetime_format: "%Y-%m-%d", start_datetime: "2024-05-31", step: P2M,
        cursor_granularity: P1D, end_datetime: "2024-09-30"}`,
			want: `from: window.from, to: window.to
from: last("at", "2024-05-31"), to: "2024-09-30T00:00:01Z", step: "2 months", gap: "1 second", format: "Y-m-d"`,
		},
		{
			name: "times of items that nobody can ask for",
			cursor: `{cursor_field: at, datetime_format: "%Y-%m-%d", cursor_datetime_formats: ["%B %d"],
        start_datetime: "2024-01-01"}`,
			want: `from: "2024-01-01", to: date("Y-m-d")
superset
streams[0].incremental_sync: each run reads everything since the start: the times of items cannot be asked for as they are written`,
		},
		{
			name: "a data feed",
			cursor: `{cursor_field: at, datetime_format: "%Y-%m-%d", start_datetime: "2024-01-01",
        is_data_feed: true}`,
			want: `from: last("at", "2024-01-01"), to: date("Y-m-d")
superset
streams[0].incremental_sync: is_data_feed: all pages are read, also those with what is older than the start`,
		},
		{
			name:   "a format without letters",
			cursor: `{cursor_field: at, datetime_format: "%Y week %U", start_datetime: "2024-01-01"}`,
			want: `refused
streams[0].incremental_sync.datetime_format: the format %Y week %U has %U, for which there is no letter of date`,
		},
		{
			name: "windows no longer than what they end short of",
			cursor: `{cursor_field: at, datetime_format: "%Y-%m-%dT%H:%M:%SZ",
        start_datetime: "2024-01-01T00:00:00Z", step: P1D, cursor_granularity: P1D}`,
			want: `refused
streams[0].incremental_sync.step: windows that are not longer than cursor_granularity are not supported`,
		},
		{
			name: "windows on a calendar",
			cursor: `{cursor_field: at, datetime_format: "%Y-%m-%d", start_datetime: "2024-01-01", step: P1D,
        cursor_granularity: P1D, clamping: {target: MONTH}}`,
			want: `refused
streams[0].incremental_sync.clamping: clamping is not supported: windows of sluice begin at the start`,
		},
		{
			name:   "a start that is no time",
			cursor: `{cursor_field: at, datetime_format: "%Y-%m-%d", start_datetime: "last year"}`,
			want: `refused
streams[0].incremental_sync.start_datetime: last year is not written as %Y-%m-%d`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := shown(t, incremental+members(c.cursor), `{"start": "2024-01-01T00:00:00.0Z"}`)
			if got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func TestSecondsInABodyAreANumber(t *testing.T) {
	manifest := strings.Replace(incremental, "path: orders}", `path: orders, http_method: POST,
        request_body_json: {from: "{{ stream_interval.start_time }}", all: '{"to": {{ stream_interval.end_time }}}'}}`, 1)
	manifest = strings.Replace(manifest, "start_time_option", "x", 1)
	manifest = strings.Replace(manifest, "end_time_option", "y", 1)
	cursor := `{cursor_field: at, datetime_format: "%s", start_datetime: "1704067200"}`
	r, err := airbyte.Convert(airbyte.Input{Now: clock, Manifest: []byte(manifest + members(cursor)), Values: []byte("{}")})
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Config struct {
			Jobs []struct{ Body map[string]any }
		}
	}
	if err := json.Unmarshal(r.Configuration, &document); err != nil {
		t.Fatal(err, r.Streams)
	}
	body := document.Config.Jobs[0].Body
	got := call(body["from"]) + " " + call(body["all"])
	want := `strtotime("+0 seconds", last("at", "1704067200")) to: time()`
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// members are those of an object in braces, as further ones of the cursor.
func members(object string) string { return "      <<: " + object + "\n" }

// What is wrong with a time matters only where a request has it.
func TestATimeThatNoRequestNamesIsNoReason(t *testing.T) {
	unused := strings.Split(incremental, "      start_time_option")[0]
	for _, cursor := range []string{
		`{cursor_field: at, datetime_format: "week %U", start_datetime: "2024-01-01"}`,
		`{cursor_field: at, datetime_format: "%Y-%m-%d", start_datetime: "2024-01-01", step: P1D,
        cursor_granularity: P1D}`,
	} {
		if got := shown(t, unused+members(cursor), "{}"); got != "" {
			t.Errorf("%s: %s", cursor, got)
		}
	}
}
