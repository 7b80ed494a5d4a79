package cli

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sluice/fixtures/api"
	"sluice/fixtures/cases"
)

// damageable pages through items that have children.
const damageable = `{"api": {"baseUrl": "http://api.test/", "retryConfig": {"maxRetries": 0}, "pagination": {"method": "pagenum", "limit": 3}},
 "config": {"jobs": [{"endpoint": "items", "children": [{"endpoint": "items/{id}/parts", "dataType": "parts", "placeholders": {"id": "id"}}]}]}}`

// stumbling serves pages until one is asked for, which fails as long as it is set.
type stumbling struct{ at string }

func (f *stumbling) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	page := r.FormValue("page")
	if f.at == r.URL.Path+"#"+page {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	var items []string
	for i := range 3 {
		if page != "4" && (r.URL.Path == "/items" || page == "1") {
			items = append(items, fmt.Sprintf(`{"id":"%s%d","of":%q}`, page, i, r.URL.Path))
		}
	}
	w.Header().Set("Link", "</items?page=1>; rel=first")
	fmt.Fprintf(w, "[%s]", strings.Join(items, ","))
}

// A lab runs a configuration in a folder.
type lab struct {
	dir     string
	network *api.Network
}

func (l *lab) at(name string) string { return filepath.Join(l.dir, name) }

// run runs it with a journal, and returns what it wrote.
func (l *lab) run(t *testing.T, journal string) (status int, shown, said string) {
	t.Helper()
	if err := os.RemoveAll(l.at("out")); err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	w := &world{
		Stdin: strings.NewReader(damageable), Stdout: &bytes.Buffer{}, Stderr: &stderr,
		Getenv: func(string) string { return "" }, Now: time.Now, Dial: l.network.Dial,
	}
	status = invoke(t.Context(), w, []string{"sluice", "run", "-", "-o", l.at("out") + "/", "--checkpoint", journal + "/", "--run-id", "a", "--log-level", "warn"})
	for _, name := range []string{"items.ndjson", "parts.ndjson"} {
		text, err := os.ReadFile(l.at(filepath.Join("out", name)))
		if err == nil {
			shown += string(text) + "\n"
		}
	}
	return status, shown, stderr.String()
}

// damage returns a file as a broken disk, a broken copy or a broken program leaves it, and what was done.
func damage(draw *rand.Rand, text []byte) ([]byte, string) {
	text = slices.Clone(text)
	at := draw.IntN(len(text))
	switch draw.IntN(4) {
	case 0:
		return text[:at], fmt.Sprintf("cut at %d", at)
	case 1:
		end := min(at+512, len(text))
		clear(text[at:end])
		return text, fmt.Sprintf("zeros from %d to %d", at, end)
	}
	bit := draw.IntN(8)
	text[at] ^= 1 << bit
	return text, fmt.Sprintf("bit %d of byte %d", bit, at)
}

// Whatever happens to a file of a journal: the run that continues gives the same bytes, or it is refused and says which
// file it cannot read.
func TestADamagedJournalGivesTheSameBytesOrIsRefused(t *testing.T) {
	server := &stumbling{}
	l := &lab{dir: t.TempDir(), network: api.NewNetwork()}
	stop, err := l.network.Serve("api.test", server)
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	_, want, _ := l.run(t, l.at("undamaged"))
	for _, server.at = range []string{"/items#2", "/items/22/parts#1"} { // each leaves some answers
		if status, _, said := l.run(t, l.at("journal")); status != statusTemporary {
			t.Fatalf("status %d: %s", status, said)
		}
	}
	server.at = ""
	files := map[string][]byte{}
	paths, _ := filepath.Glob(l.at("journal/*"))
	for _, path := range paths {
		if files[filepath.Base(path)], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	if info, err := os.Stat(l.at("journal")); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the journal's folder: %v, %v", info.Mode(), err)
	}

	names := slices.Sorted(maps.Keys(files))
	draw := rand.New(rand.NewPCG(29, 15))
	finished, refused, warned := 0, 0, 0
	for n := range cases.Raced(10, 40, 2000) {
		name := names[draw.IntN(len(names))]
		text, what := damage(draw, files[name])
		what = name + ", " + what
		same := bytes.Equal(text, files[name]) // zeros for zeros
		journal := l.at(fmt.Sprint("damaged-", n))
		if err := os.Mkdir(journal, 0o700); err != nil {
			t.Fatal(err)
		}
		for other, whole := range files {
			if other == name {
				whole = text
			}
			if err := os.WriteFile(filepath.Join(journal, other), whole, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		status, shown, said := l.run(t, journal)
		names := strings.Contains(said, name+" ")
		switch {
		case status == statusOK && shown == want:
			finished++
			if names {
				warned++
			}
			if !names && !same {
				t.Errorf("%s: nothing is said of it", what)
			}
		case status == statusFailed && shown == "" && names && strings.Contains(said, "; if it is removed, "):
			refused++
		default:
			t.Errorf("%s: status %d, shown %q: %s", what, status, shown, said)
		}
		if err := os.RemoveAll(journal); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d gave the same bytes, of which %d with a warning, and %d were refused", finished, warned, refused)
	if warned == 0 || refused == 0 {
		t.Error("not both were tried")
	}
}
