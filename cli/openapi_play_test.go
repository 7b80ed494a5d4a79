//go:build unix

package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"sluice/cli/discover/openapi"
	"sluice/fixtures/api"
)

// An ending is how the configuration of an operation ended.
type ending string

const (
	gotAll ending = "drained"
	// It has said that something is not known, or the run has failed or doubts what it got.
	saidSo ending = "honest"
	// Items are missing or come twice, and nobody has said so.
	isLost ending = "wrong"
	// The operation is not among the lists.
	notListed ending = "unseen"
)

// TestConfigurationsOfDocumentsDrain plays each operation of documents in many styles against a mock of the API that they
// describe: the configuration that init writes gets all items, and no line of its account that is sure is false.
func TestConfigurationsOfDocumentsDrain(t *testing.T) {
	files, err := filepath.Glob("cli/discover/openapi/testdata/styles/*")
	if err != nil || len(files) < 12 {
		t.Fatalf("%d documents: %v", len(files), err)
	}
	for _, file := range files {
		for of, r := range playAll(t, file) {
			if r.ending != gotAll || r.false != "" {
				t.Errorf("%s: %s: %s, %s\n%s", file, of, r.ending, r.false, r.shown)
			}
		}
	}
}

// TestPublicDocumentsArePlayed plays documents of a folder that OPENAPI_PLAYED names, and counts how they end.
func TestPublicDocumentsArePlayed(t *testing.T) {
	folder := os.Getenv("OPENAPI_PLAYED")
	if folder == "" {
		t.Skip("OPENAPI_PLAYED names no folder with documents that have x-pages")
	}
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s has no documents: %v", folder, err)
	}
	count, falsehoods, whole := map[ending]int{}, 0, 0
	for _, file := range files {
		isWhole := true
		for of, r := range playAll(t, file) {
			count[r.ending]++
			isWhole = isWhole && r.ending == gotAll
			if r.false != "" {
				falsehoods++
			}
			if r.ending != gotAll || r.false != "" {
				t.Logf("%s: %s: %s, %s\n%s", filepath.Base(file), of, r.ending, r.false, r.shown)
			}
		}
		if isWhole {
			whole++
		}
	}
	t.Logf("%d documents, %d gotAll whole; operations: %v; %d with a sure line that is false", len(files), whole, count, falsehoods)
	if count[isLost] > 0 || falsehoods > 0 {
		t.Errorf("%d operations are wrong, %d false", count[isLost], falsehoods)
	}
}

// A played is how an operation ended.
type played struct {
	ending ending

	// false is a line that is called sure, and is not so; empty: none.
	false string
	shown string
}

// playAll plays all operations of a document that say how they page.
func playAll(t *testing.T, file string) map[string]played {
	t.Helper()
	text := readText(t, file)
	mock := mockOf(t, text)
	if len(mock.ops) == 0 {
		t.Errorf("%s: no operation has x-pages", file)
	}
	d, err := openapi.Read([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	lists, _, err := d.Lists()
	if err != nil {
		t.Logf("%s: %v", file, err)
	}
	all := map[string]played{}
	for _, o := range mock.ops {
		name := o.method + " " + o.path
		if !slices.ContainsFunc(lists, func(l openapi.ListOperation) bool { return l.Method+" "+l.Path == name }) {
			all[name] = played{ending: notListed}
			continue
		}
		all[name] = play(t, file, mock, o)
	}
	return all
}

// play makes the configuration of an operation and runs it.
func play(t *testing.T, file string, mock *documented, o *mockedOperation) (p played) {
	t.Helper()
	config := filepath.Join(t.TempDir(), "api.json")
	status, said, shown := onDocumented(t, mock, "init", "--from-openapi", file, "--path", o.method+" "+o.path, "-o", config, "-f", "json")
	p.shown = said + shown
	var account struct {
		Account     []openapi.AccountLine
		Missing     []string
		Environment []struct{ Attribute string }
	}
	text, err := os.ReadFile(config)
	if err != nil || json.Unmarshal([]byte(shown[:strings.LastIndexByte(shown, '}')+1]), &account) != nil {
		t.Errorf("%s: status %d: %s", o.path, status, p.shown)
		return p
	}
	text = bytes.ReplaceAll(text, []byte("https:"), []byte("http:"))
	write(t, config, string(text))
	p.shown += string(text)
	args := []string{"run", config, "-o", filepath.Dir(config) + "/", "--summary", filepath.Join(filepath.Dir(config), "report.json")}
	for _, name := range account.Missing {
		args = append(args, "--attr", name+"="+valueFor(mock, o, name))
	}
	for _, e := range account.Environment {
		args = append(args, "--attr", e.Attribute+"=k-1234567")
	}
	ran, _, log := onDocumented(t, mock, args...)
	var report struct {
		Jobs []struct{ ID, Verdict string }
	}
	if summary, err := os.ReadFile(filepath.Join(filepath.Dir(config), "report.json")); err == nil {
		_ = json.Unmarshal(summary, &report)
	}
	verdict, id := "none", ""
	if len(report.Jobs) > 0 {
		last := report.Jobs[len(report.Jobs)-1]
		verdict, id = last.Verdict, last.ID
	}
	p.false = falseLine(account.Account, o, id)
	lines := map[string]bool{}
	count := 0
	// A file has no dots in its name.
	if content, err := os.ReadFile(filepath.Join(filepath.Dir(config), strings.ReplaceAll(id, ".", "_")+".ndjson")); err == nil {
		for line := range strings.Lines(string(content)) {
			lines[line] = true
			count++
		}
	}
	want := o.pages.N
	if o.above != nil {
		for range len(report.Jobs) - 1 {
			want *= o.above.pages.N
		}
	}
	isWhole := ran == 0 && count == want && len(lines) == want
	isOpen := slices.ContainsFunc(account.Account, func(l openapi.AccountLine) bool {
		return l.Certainty == openapi.Unknown && !strings.HasPrefix(l.Text, "the credentials")
	})
	isUnsure := isOpen || ran != 0 || verdict != "complete"
	switch {
	case isWhole:
		p.ending = gotAll
	case isUnsure:
		p.ending = saidSo
	default:
		p.ending = isLost
	}
	p.shown += fmt.Sprintf("\n%d of %d items, %d distinct; init %d, run %d, %s\n%s", count, want, len(lines), status, ran, verdict, log)
	return p
}

// valueFor is what a person sets an attribute to.
func valueFor(mock *documented, o *mockedOperation, name string) string {
	if name == "host" {
		return "http://mock.test"
	}
	if o.above != nil && strings.Contains(o.path, "{"+name+"}") {
		return mock.keysOf(o.above)[0]
	}
	return "x1"
}

// falseLine is a line about a job that is called sure, and is not so.
func falseLine(account []openapi.AccountLine, o *mockedOperation, job string) string {
	for _, l := range account {
		if l.Certainty != openapi.Sure || !strings.HasPrefix(l.Text, job+": ") {
			continue
		}
		_, at, isItems := strings.Cut(l.Text, " are in ")
		_, first, isFirst := strings.Cut(l.Text, "the first page is ")
		switch {
		case isItems && at != o.pages.Items:
			return l.Text
		case isFirst && first != fmt.Sprint(o.pages.First):
			return l.Text
		case strings.Contains(l.Text, "an array of the items") && o.pages.Items != "":
			return l.Text
		case strings.Contains(l.Text, "the document allows") && !strings.Contains(l.Text, fmt.Sprintf(" %d items", o.pages.Most)) && o.pages.Most < 1000:
			return l.Text
		}
	}
	return ""
}

// onDocumented runs a command while the mock answers whatever is asked for.
func onDocumented(t *testing.T, mock *documented, args ...string) (status int, output, said string) {
	t.Helper()
	var out, err bytes.Buffer
	synctest.Test(t, func(t *testing.T) {
		network := api.NewNetwork()
		stop, failed := network.Serve("mock.test", http.HandlerFunc(mock.serve))
		if failed != nil {
			t.Fatal(failed)
		}
		defer stop()
		dial := func(ctx context.Context, kind, _ string) (net.Conn, error) {
			return network.Dial(ctx, kind, "mock.test:80")
		}
		w := &world{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &err, Getenv: func(string) string { return "" }, Now: time.Now, Dial: dial}
		status = invoke(t.Context(), w, append([]string{"sluice"}, args...))
		http.DefaultClient.CloseIdleConnections()
	})
	return status, out.String(), err.String()
}
