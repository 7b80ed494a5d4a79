package sink_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"

	"sluice/fixtures/targettest"
	"sluice/pipeline"
	"sluice/pipeline/report"
	"sluice/sink"
	"sluice/sink/target"
)

// outputs returns an output per data type, with a job of the same name.
func outputs(dataTypes ...string) []pipeline.Output {
	var all []pipeline.Output
	for _, d := range dataTypes {
		all = append(all, pipeline.Output{DataType: d, Name: pipeline.FileName(d), Jobs: []string{d}})
	}
	return all
}

// batch makes a batch of lines.
func batch(dataType string, lines ...string) *pipeline.Batch {
	b := &pipeline.Batch{Job: dataType, DataType: dataType, Page: 1, Items: len(lines)}
	for _, line := range lines {
		b.Text = append(append(b.Text, line...), '\n')
	}
	return b
}

// noReport is the report of a run that nobody asks about.
func noReport([]report.OutputReport) (*report.Report, error) { return &report.Report{}, nil }

// run is a run of the program that goes well until the sink says otherwise.
func run(t *testing.T, o sink.Options, outs []pipeline.Output, batches ...*pipeline.Batch) (*report.Report, error) {
	t.Helper()
	s, err := sink.New(o, outs)
	if err != nil {
		t.Fatal(err)
	}
	r := &report.Report{RunID: cmp.Or(o.RunID, "the-run")}
	err = s.Probe(t.Context())
	for _, b := range batches {
		if err == nil {
			err = s.Write(t.Context(), b)
		}
	}
	if err == nil {
		err = s.Commit(t.Context(), func(outputs []report.OutputReport) (*report.Report, error) {
			r.Outputs = outputs
			return r, nil
		})
	}
	return r, errors.Join(err, s.Close())
}

// stdout runs into a buffer.
func stdout(t *testing.T, o sink.Options, outs []pipeline.Output, batches ...*pipeline.Batch) string {
	t.Helper()
	var out bytes.Buffer
	o.Stdout = &out
	if _, err := run(t, o, outs, batches...); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func list(t *testing.T, dir string) string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			name, _ := filepath.Rel(dir, path)
			names = append(names, filepath.ToSlash(name))
		}
		return err
	})
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

func read(t *testing.T, parts ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(parts...))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestABatchIsOneWriteToStdout(t *testing.T) {
	var w counter
	_, err := run(t, sink.Options{Environment: sink.Environment{Stdout: &w}}, outputs("a", "b"), batch("a", `{"id":1}`, `{"id":2}`), batch("b", `3`), batch("a"))
	want := "{\"id\":1}\n{\"id\":2}\n|3\n|"
	if err != nil || string(w) != want {
		t.Errorf("got %q, %v, want %q", w, err, want)
	}
}

// A counter marks the end of each write.
type counter []byte

func (c *counter) Write(p []byte) (int, error) {
	*c = append(append(*c, p...), '|')
	return len(p), nil
}

func TestStdoutHasNoEntryInTheReportAndAFileHas(t *testing.T) {
	r, err := run(t, sink.Options{Environment: sink.Environment{Stdout: &bytes.Buffer{}}}, outputs("a"), batch("a", "1"))
	if err != nil || r.Outputs == nil || len(r.Outputs) != 0 {
		t.Errorf("got %v, %v, want an empty list", r.Outputs, err)
	}
	path := filepath.Join(t.TempDir(), "all.ndjson")
	r, err = run(t, sink.Options{Output: path}, outputs("a", "b"), batch("a", "1"), batch("b", "2", "3"))
	want := report.OutputReport{URI: path, DataType: "a,b", Format: "ndjson", Compression: "none", Items: 3, Bytes: 6, BytesUncompressed: 6, SHA256: "14c5e74c4b96ccef41cd94db73a9ec3348038ac094feca4fd897cecffa07cdae", Columns: []report.OutputColumn{}, NotObjects: &report.KindCounts{Integer: 3}}
	if err != nil || len(r.Outputs) != 1 || !reflect.DeepEqual(r.Outputs[0], want) {
		t.Errorf("got %+v, %v, want %+v", r.Outputs, err, want)
	}
	if got := list(t, filepath.Dir(path)); got != "all.ndjson" {
		t.Errorf("there is %s: a single file has no manifest", got)
	}
}

func TestNamesComeFromTheTemplate(t *testing.T) {
	two := []pipeline.Output{{DataType: "the users", Name: "the_users", Jobs: []string{"a", "b/c"}}}
	one := batch("the users", "1")
	one.Job = "a"
	for _, c := range []struct {
		o    sink.Options
		want string
	}{
		{sink.Options{}, "_manifest.json the_users.ndjson"},
		{sink.Options{Format: "csv", Compress: "zstd"}, "_manifest.json the_users.csv.zst"},
		{sink.Options{Name: "{dataType}.csv.gz"}, "_manifest.json the_users.csv.gz"},
		{sink.Options{Name: "{job}/{date}-{runId}.{ext}", Compress: "gzip"}, "_manifest.json a/2026-01-31-R7.ndjson.gz b_c/2026-01-31-R7.ndjson.gz"},
		{sink.Options{Name: "{job}.{ext}", RunDetails: sink.RunDetails{Jobs: []string{"b/c", "a"}}}, "_manifest-a.b_c.json a.ndjson b_c.ndjson"},
		{sink.Options{RunDetails: sink.RunDetails{Jobs: []string{strings.Repeat("x", 240)}}}, "_manifest-" + strings.Repeat("x", 240) + ".json the_users.ndjson"},
		{sink.Options{RunDetails: sink.RunDetails{Jobs: []string{strings.Repeat("x", 241)}}}, "_manifest-7dbf05774ebc8b0213e8f74d789e3447.json the_users.ndjson"},
		{sink.Options{RunDetails: sink.RunDetails{Jobs: []string{"b", strings.Repeat("x", 238), "a"}}}, "_manifest-4261bb47b95dc0f00eedea8e55ca63ba.json the_users.ndjson"},
		{sink.Options{RunDetails: sink.RunDetails{Jobs: []string{strings.Repeat("x", 238), "a", "b"}}}, "_manifest-4261bb47b95dc0f00eedea8e55ca63ba.json the_users.ndjson"},
		{sink.Options{Name: "all"}, "_manifest.json all"},
		{sink.Options{Name: "{runId}-{part}", RunDetails: sink.RunDetails{RunID: "{part}"}}, "_manifest.json {part}-00001"},
	} {
		dir := t.TempDir()
		c.o.Output, c.o.Date, c.o.RunID = dir+"/", "2026-01-31", cmp.Or(c.o.RunID, "R7")
		if _, err := run(t, c.o, two, one); err != nil {
			t.Errorf("%s: %v", c.want, err)
		}
		if got := list(t, dir); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

func TestJobsOfOneDataTypeAreApartWhereTheirNamesAre(t *testing.T) {
	dir := t.TempDir()
	a, b := batch("users", "1"), batch("users", "2", "3")
	a.Job, b.Job = "a", "b"
	r, err := run(t, sink.Options{Output: dir + "/", Name: "{job}.{ext}"}, []pipeline.Output{{DataType: "users", Name: "users", Jobs: []string{"a", "b"}}}, a, b)
	if err != nil || read(t, dir, "a.ndjson") != "1\n" || read(t, dir, "b.ndjson") != "2\n3\n" {
		t.Errorf("got %v", err)
	}
	if len(r.Outputs) != 2 || r.Outputs[1].Items != 2 || r.Outputs[1].DataType != "users" {
		t.Errorf("the report says %+v", r.Outputs)
	}
}

func TestFormatAndCompressionComeFromTheNameAndFlagsWin(t *testing.T) {
	magic := map[string]string{"\x1f\x8b": "gzip", "\x28\xb5": "zstd", "{\"": "ndjson", "id": "csv"}
	for _, c := range []struct{ name, format, compress, want string }{
		{"x", "", "", "ndjson"}, {"x.ndjson", "", "", "ndjson"}, {"x.csv", "", "", "csv"}, {"x.csv.gz", "", "", "gzip"},
		{"x.gz", "", "", "gzip"}, {"x.csv.zst", "", "", "zstd"}, {"x.csv", "ndjson", "", "ndjson"}, {"x.csv.gz", "", "none", "csv"},
		{"x", "csv", "none", "csv"}, {"x", "", "zstd", "zstd"}, {"x.csv.gz.zst", "", "none", "ndjson"},
	} {
		path := filepath.Join(t.TempDir(), c.name)
		if _, err := run(t, sink.Options{Output: path, Format: c.format, Compress: c.compress}, outputs("a"), batch("a", `{"id":1}`)); err != nil {
			t.Error(err)
		}
		if got := magic[read(t, path)[:2]]; got != c.want {
			t.Errorf("%+v: got %s", c, got)
		}
	}
}

func TestContradictionsAreFoundBeforeAnythingIsTouched(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out") + "/"
	ab := outputs("a", "b")
	for _, c := range []struct {
		o    sink.Options
		outs []pipeline.Output
		want string
	}{
		{sink.Options{Format: "csv"}, ab, `--output -: one CSV stream holds one data type, and these are 2 (a, b): write to a folder (DIR/), choose one with --job (children come with it), or write ndjson`},
		{sink.Options{Output: "all.csv.gz"}, ab, `--output all.csv.gz: one CSV stream holds one data type, and these are 2 (a, b): write to a folder (DIR/), choose one with --job (children come with it), or write ndjson`},
		{sink.Options{Columns: []string{"x"}}, ab, `--columns is for csv, and the format is ndjson: add --format csv`},
		{sink.Options{Format: "csv", Columns: []string{"x", "y", "x"}}, outputs("a"), `--columns names "x" twice`},
		{sink.Options{Name: "{job}"}, ab, `--name and --roll are for a folder, and --output - is none: let it end in /`},
		{sink.Options{Output: dir, Name: "{typ}.{ext}"}, ab, `--name {typ}.{ext}: unknown placeholder {typ} (have {dataType} {job} {date} {runId} {part} {shard} {shards} {attr:NAME} {ext})`},
		{sink.Options{Output: dir, Name: "{dataType"}, ab, `--name {dataType: a { has no }`},
		{sink.Options{Output: dir, Name: "all.{ext}"}, ab, `data type "a" (job a) and data type "b" (job b) have the same name, all.ndjson: change dataType or id of a job, or --name`},
		{sink.Options{Output: dir}, outputs("a/b", "a "+
			"b"), `data type "a/b" (job a/b) and data type "a b" (job a b) have the same name, a_b.ndjson: change dataType or id of a job, or --name`},
		{sink.Options{Output: dir, Name: "_manifest.json"}, outputs("a"), `the manifest and data type "a" (job a) have the same name, _manifest.json: change dataType or id of a job, or --name`},
		{sink.Options{Output: dir, Name: "{runId}"}, outputs("a"), `--name: there is no value for {runId} of data type "a" (job a)`},
		{sink.Options{Output: dir, Name: "../{dataType}"}, ab, `--name: "../a" is not the name of a file below the folder`},
		{sink.Options{Output: dir, Name: "{runId}/{dataType}", RunDetails: sink.RunDetails{RunID: "../.."}}, ab, `--name: "../../a" is not the name of a file below the folder`},
		{sink.Options{Output: dir, Name: "/{dataType}"}, ab, `--name: "/a" is not the name of a file below the folder`},
		{sink.Options{Output: dir, Name: "x//{dataType}"}, ab, `--name: "x//a" is not the name of a file below the folder`},
		{sink.Options{Output: dir, Name: "{dataType}/"}, ab, `--name: "a/" is not the name of a file below the folder`},
		{sink.Options{Output: dir, Name: "."}, outputs("a"), `--name: "." is not the name of a file below the folder`},
		{sink.Options{Output: dir, RunDetails: sink.RunDetails{Jobs: []string{"a"}, Rest: []pipeline.Output{{DataType: "a", Name: "a", Jobs: []string{"a-2"}}}}}, outputs("a"), `with --job, a.ndjson would hold only a part: job a-2 writes it too; put {job} into --name`},
		{sink.Options{Output: "gs://bucket/x"}, ab, `--output gs://bucket/x: unknown scheme "gs" (have s3; or a file, a folder that ends in /, - for standard output)`},
		{sink.Options{Output: "s3://bucket/x"}, ab, `--output s3://bucket/x: no such luck: s3://bucket/`},
		{sink.Options{Output: "s3://bucket"}, ab, `--output s3://bucket: no such luck: s3://bucket/`},
		{sink.Options{Output: "s3:///p/q/"}, ab, `--output s3:///p/q/: no such luck: s3:///p/q/`},
	} {
		c.o.Targets = map[string]func(string) (target.Target, error){
			"s3": func(place string) (target.Target, error) { return nil, errors.New("no such luck: " + place) },
		}
		if _, err := sink.New(c.o, c.outs); err == nil || err.Error() != c.want {
			t.Errorf("got  %v\nwant %s", err, c.want)
		}
	}
	if _, err := sink.New(sink.Options{Output: dir, Name: strings.Repeat("x", 256)}, outputs("a")); err == nil || !strings.HasPrefix(err.Error(), "--name: a file name of 256 bytes is too long, 255 are allowed") {
		t.Errorf("got %v", err)
	}
	if got := list(t, dir); got != "" {
		t.Errorf("left is %s", got)
	}
}

func TestJobsThatShareNoNameMayRunAlone(t *testing.T) {
	rest := []pipeline.Output{{DataType: "users", Name: "users", Jobs: []string{"b"}}}
	_, err := sink.New(sink.Options{Output: "out/", Name: "{dataType}-{job}.{ext}", RunDetails: sink.RunDetails{Jobs: []string{"a"}, Rest: rest}}, []pipeline.Output{{DataType: "users", Name: "users", Jobs: []string{"a"}}})
	if err != nil {
		t.Error(err)
	}
}

func TestTheManifestIsTheReport(t *testing.T) {
	dir := t.TempDir()
	r, err := run(t, sink.Options{Output: dir + "/"}, outputs("a<b>"), batch("a<b>", "1"))
	if err != nil {
		t.Fatal(err)
	}
	text := read(t, dir, "_manifest.json")
	if !strings.Contains(text, "  \"runId\": \"the-run\",\n") || !strings.Contains(text, `"a<b>"`) {
		t.Errorf("it reads badly: %s", text)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, []byte(text)); err != nil {
		t.Error(err)
	}
	want, _ := json.Marshal(r)
	var escaped bytes.Buffer
	json.HTMLEscape(&escaped, compact.Bytes())
	if escaped.String() != string(want) {
		t.Errorf("got %s, want %s", escaped.String(), want)
	}
}

func TestARunThatEndsWhileItRemovesEarlierPartsLeavesNoneToTheNextOne(t *testing.T) {
	dir := t.TempDir()
	// pages is a run whose pages are a part each, and whose nth removal fails.
	pages := func(n, removal int) error {
		var all []*pipeline.Batch
		for range n {
			b := batch("a", "1")
			b.First = true
			all = append(all, b)
		}
		hook := func(_ context.Context, operation string, i int) error {
			if operation == "remove" && i == removal {
				return errors.New("the end")
			}
			return nil
		}
		open := func(string) (target.Target, error) { return targettest.Hooked(target.NewFolder(dir, false), hook), nil }
		_, err := run(t, sink.Options{
			Output:      "test://place/",
			Roll:        1,
			Environment: sink.Environment{Targets: map[string]func(string) (target.Target, error){"test": open}},
		}, outputs("a"), all...)
		return err
	}
	const want = "_manifest.json a-00001.ndjson a-00002.ndjson"
	// The first removal is that of the manifest.
	for removal := 2; removal <= 5; removal++ {
		if err := pages(6, 0); err != nil {
			t.Fatal(err)
		}
		if err := pages(2, removal); err == nil {
			t.Fatalf("removal %d: the run is to fail", removal)
		}
		if err := pages(2, 0); err != nil {
			t.Fatal(err)
		}
		if got := list(t, dir); got != want {
			t.Errorf("removal %d: there is %s, want %s", removal, got, want)
		}
	}
}

// publishing is how a run ends that publishes two outputs and a manifest to a folder, where something happens before one of these.
func publishing(t *testing.T, dir string, step int, happens func() error) error {
	t.Helper()
	hook := func(_ context.Context, operation string, i int) error {
		if operation == "publish" && i == step {
			return happens()
		}
		return nil
	}
	open := func(string) (target.Target, error) { return targettest.Hooked(target.NewFolder(dir, false), hook), nil }
	_, err := run(t, sink.Options{
		Output:      "test://place/",
		Environment: sink.Environment{Targets: map[string]func(string) (target.Target, error){"test": open}},
	}, outputs("a", "b"), batch("a", "1"), batch("b", "1"))
	return err
}

// The other one dies once it has replaced one output, so that it does not see the manifest.
func TestAManifestGoesIfAnotherRunHasReplacedAnOutputAndDied(t *testing.T) {
	changes := []struct {
		of      func(name string) error
		isMixed bool
	}{
		{func(name string) error { return os.WriteFile(name, []byte("2\n"), 0o600) }, true},
		// A consumer takes it away.
		{os.Remove, false},
	}
	for _, change := range changes {
		dir := t.TempDir()
		err := publishing(t, dir, 3, func() error { return change.of(filepath.Join(dir, "b.ndjson")) })
		hasManifest := strings.Contains(list(t, dir), "_manifest.json")
		if pipeline.IsTemporary(err) != change.isMixed || hasManifest == change.isMixed {
			t.Errorf("replaced %t: %v, the manifest is there: %t", change.isMixed, err, hasManifest)
		}
	}
}

func TestTwoRunsThatPublishAtATimeLeaveNoManifestOfEither(t *testing.T) {
	for step := 1; step <= 2; step++ {
		dir := t.TempDir()
		other := func() { // publishes all of its own
			o := sink.Options{Output: dir + "/", RunDetails: sink.RunDetails{RunID: "another"}}
			if _, err := run(t, o, outputs("a", "b"), batch("a", "2"), batch("b", "2")); err != nil {
				t.Error(err)
			}
		}
		err := publishing(t, dir, step, func() error {
			other()
			return nil
		})
		if got := list(t, dir); !pipeline.IsTemporary(err) || got != "a.ndjson b.ndjson" {
			t.Errorf("at output %d: %v, there is %s", step, err, got)
		}
		other()
		if got := list(t, dir); got != "_manifest.json a.ndjson b.ndjson" || read(t, dir, "a.ndjson") != "2\n" {
			t.Errorf("after a run alone there is %s", got)
		}
	}
}

func TestAManifestThatIsALinkStaysOne(t *testing.T) {
	dir, linked := t.TempDir(), filepath.Join(t.TempDir(), "real.json")
	for _, earlier := range []bool{false, true} {
		if !earlier {
			if err := os.Symlink(linked, filepath.Join(dir, "_manifest.json")); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := run(t, sink.Options{Output: dir + "/"}, outputs("a")); err != nil {
			t.Fatal(err)
		}
		if to, err := os.Readlink(filepath.Join(dir, "_manifest.json")); err != nil || to != linked || !strings.HasPrefix(read(t, linked), "{") {
			t.Errorf("the link leads to %q, %v", to, err)
		}
	}
}

func TestARunRemovesNoOutputOfItsOwnWhereALinkLeadsElsewhereMeanwhile(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "link")
	for _, folder := range []string{"first", "second"} {
		if err := os.Mkdir(filepath.Join(dir, folder), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("first", link); err != nil {
		t.Fatal(err)
	}
	s, err := sink.New(sink.Options{Output: link + "/"}, outputs("a"))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Remove(link), os.Symlink("second", link)); err != nil {
		t.Fatal(err)
	}
	err = s.Probe(t.Context())
	if err == nil {
		err = s.Commit(t.Context(), noReport)
	}
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	if got := list(t, filepath.Join(dir, "second")); got != "_manifest.json a.ndjson" {
		t.Errorf("there is %s", got)
	}
}

func TestADeviceIsListedInTheReport(t *testing.T) {
	r, err := run(t, sink.Options{Output: os.DevNull}, outputs("a"), batch("a", "1"))
	if err != nil || len(r.Outputs) != 1 || r.Outputs[0].URI != os.DevNull || r.Outputs[0].Bytes != 2 {
		t.Errorf("got %+v, %v", r.Outputs, err)
	}
}

func TestAClosedPipeShowsAsEPIPEThroughEveryCompression(t *testing.T) {
	for _, compress := range []string{"none", "gzip", "zstd"} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
		_, err = run(t, sink.Options{Compress: compress, Environment: sink.Environment{Stdout: w}}, outputs("a"), batch("a", "1"))
		if !errors.Is(err, syscall.EPIPE) {
			t.Errorf("%s: got %v, want EPIPE", compress, err)
		}
		w.Close()
	}
}

// tool runs a program of the machine on data.
func tool(t *testing.T, data string, name string, args ...string) (string, error) {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("this machine has no %s", name)
	}
	cmd := exec.CommandContext(t.Context(), path, args...)
	cmd.Stdin = strings.NewReader(data)
	out, err := cmd.Output()
	return string(out), err
}

var unpack = map[string][]string{"gzip": {"gunzip", "-c"}, "zstd": {"zstd", "-dc"}}

func TestTheStandardToolsOpenWhatIsCompressed(t *testing.T) {
	for compress, cmd := range unpack {
		for _, c := range []struct {
			format  string
			batches []*pipeline.Batch
			want    string
		}{
			{"ndjson", []*pipeline.Batch{batch("a", `{"id":1}`), batch("a", `{"id":2}`)}, "{\"id\":1}\n{\"id\":2}\n"},
			{"csv", []*pipeline.Batch{batch("a", `{"id":1}`), batch("a", `{"n":2}`)}, "id,n\n1,\n,2\n"},
			{"ndjson", nil, ""},
			{"csv", nil, ""},
			{"ndjson", []*pipeline.Batch{batch("a", strings.Repeat("1", 3<<20))}, strings.Repeat("1", 3<<20) + "\n"},
		} {
			packed := stdout(t, sink.Options{Format: c.format, Compress: compress}, outputs("a"), c.batches...)
			if got, err := tool(t, packed, cmd[0], cmd[1:]...); err != nil || got != c.want {
				t.Errorf("%s %s: got %d bytes, %v, want %d", compress, c.format, len(got), err, len(c.want))
			}
		}
	}
}

func TestACompressedStreamOfAFailedRunHasNoProperEnd(t *testing.T) {
	for compress, cmd := range unpack {
		for size, least := range map[int]int{0: 0, 10: 0, 2 << 20: 1 << 20} {
			var out bytes.Buffer
			s, err := sink.New(sink.Options{Compress: compress, Environment: sink.Environment{Stdout: &out}}, outputs("a"))
			if err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(s.Write(t.Context(), batch("a", noise(size))), s.Close()); err != nil {
				t.Error(err)
			}
			if _, err := tool(t, out.String(), cmd[0], cmd[1:]...); err == nil || out.Len() < least {
				t.Errorf("%s: %d bytes that came of %d open", compress, out.Len(), size)
			}
		}
	}
}

func TestMoreOutputsThanCompressorsAreAllWhole(t *testing.T) {
	var names []string
	for i := range 40 {
		names = append(names, fmt.Sprintf("t%02d", i))
	}
	for compress, cmd := range unpack {
		dir := t.TempDir()
		var batches []*pipeline.Batch
		for round := range 3 {
			for _, n := range names {
				batches = append(batches, batch(n, fmt.Sprintf(`{"of":%q,"round":%d}`, n, round)))
			}
		}
		if _, err := run(t, sink.Options{Output: dir + "/", Name: "{dataType}", Compress: compress}, outputs(names...), batches...); err != nil {
			t.Fatal(err)
		}
		for _, n := range []string{"t00", "t39"} {
			want := fmt.Sprintf("{\"of\":%[1]q,\"round\":0}\n{\"of\":%[1]q,\"round\":1}\n{\"of\":%[1]q,\"round\":2}\n", n)
			if got, err := tool(t, read(t, dir, n), cmd[0], cmd[1:]...); err != nil || got != want {
				t.Errorf("%s of %s: got %q, %v", compress, n, got, err)
			}
		}
	}
}

func TestNoGoroutineOutlivesTheSink(t *testing.T) {
	for _, commit := range []bool{true, false} {
		for compress := range unpack {
			dir := t.TempDir() + "/"
			synctest.Test(t, func(t *testing.T) { // fails if one does
				s, err := sink.New(sink.Options{Output: dir, Compress: compress}, outputs("a", "b", "c", "d", "e", "f"))
				if err != nil {
					t.Fatal(err)
				}
				for _, d := range []string{"a", "b", "c", "d", "e", "f", "a"} {
					err = errors.Join(err, s.Write(t.Context(), batch(d, "1")))
				}
				if commit {
					err = errors.Join(err, s.Commit(t.Context(), noReport))
				}
				if err := errors.Join(err, s.Close(), s.Close()); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// The context of the writes ends when all are done, before the commit.
func TestTheContextOfAWriteDoesNotReachWhatGoesOnAfterIt(t *testing.T) {
	for compress, cmd := range unpack {
		for _, size := range []int{10, 100 << 10, 3 << 20} {
			var out bytes.Buffer
			s, err := sink.New(sink.Options{Compress: compress, Environment: sink.Environment{Stdout: &out}}, outputs("a"))
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			err = s.Write(ctx, batch("a", noise(size)))
			cancel()
			if err := errors.Join(err, s.Commit(t.Context(), noReport), s.Close()); err != nil {
				t.Errorf("%s, %d bytes: %v", compress, size, err)
			}
			if got, err := tool(t, out.String(), cmd[0], cmd[1:]...); err != nil || got != noise(size)+"\n" {
				t.Errorf("%s: got %d bytes of %d, %v", compress, len(got), size, err)
			}
		}
	}
}

func TestTheCompressorReportsAFailedWriteAndAStuckOneCanBeCancelled(t *testing.T) {
	broken, reason := errors.New("broken"), errors.New("interrupted")
	for _, compress := range []string{"none", "gzip", "zstd"} {
		for name, hook := range map[string]targettest.Hook{
			"broken": func(_ context.Context, operation string, n int) error {
				if operation == "write" && n == 2 {
					return broken
				}
				return nil
			},
			"stuck": func(ctx context.Context, operation string, _ int) error {
				if operation == "write" {
					<-ctx.Done()
					return context.Cause(ctx)
				}
				return nil
			},
		} {
			dir := t.TempDir()
			s, err := sink.New(sink.Options{Output: "test://x/y", Compress: compress, Environment: sink.Environment{Targets: map[string]func(string) (target.Target, error){
				"test": func(string) (target.Target, error) { return targettest.Hooked(target.NewFolder(dir, false), hook), nil },
			}}}, outputs("a"))
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancelCause(t.Context())
			if name == "stuck" {
				go cancel(reason)
			}
			line := noise(300 << 10)
			for range 20 {
				if err = s.Write(ctx, batch("a", line)); err != nil {
					break
				}
			}
			if err == nil || !errors.Is(err, map[string]error{"broken": broken, "stuck": reason}[name]) {
				t.Errorf("%s, %s: got %v", compress, name, err)
			}
			if err := s.Close(); err != nil || list(t, dir) != "" {
				t.Errorf("%s, %s: left is %s, %v", compress, name, list(t, dir), err)
			}
			cancel(nil)
		}
	}
}

// noise returns text that no compressor makes much smaller.
func noise(size int) string {
	text := make([]byte, size)
	state := uint64(1)
	for i := range text {
		state = state*6364136223846793005 + 1442695040888963407
		text[i] = '0' + byte(state>>58)
	}
	return string(text)
}
