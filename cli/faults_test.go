package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/cli/run"
	"sluice/fixtures/cases"
	s3store "sluice/fixtures/s3"
)

// A destination is a place that a run writes to, in a folder of its own.
type destination struct {
	name    string
	output  func(dir string) string
	flags   []string
	prepare func(t *testing.T, dir string)
	stored  func(t *testing.T, b *broken) map[string]string // what is visible, by name
	breaks  bool                                            // the destination itself goes wrong too
}

var destinations = []destination{
	{name: "stdout", output: func(string) string { return "-" }},
	{name: "stdout-gzip", output: func(string) string { return "-" }, flags: []string{"-z", "gzip"}},
	{name: "file", output: func(dir string) string { return filepath.Join(dir, "out.ndjson") }, prepare: earlier("out.ndjson")},
	{name: "file-csv", output: func(dir string) string { return filepath.Join(dir, "users.csv.gz") }, flags: []string{"--job", "orders"}},
	{name: "folder", output: func(dir string) string { return filepath.Join(dir, "out") + "/" }},
	{name: "folder-again", output: func(dir string) string { return dir + "/" }, flags: []string{"-z", "zstd", "-f", "csv"},
		prepare: earlier("users.csv.zst", "orders.csv.zst", "details.csv.zst", "_manifest.json")},
	{name: "s3", output: func(string) string { return "s3://bucket/out/" }, stored: objects},
	{name: "s3-object", output: func(string) string { return "s3://bucket/out.ndjson.gz" }, stored: objects},
	{name: "s3-broken", output: func(string) string { return "s3://bucket/out/" }, stored: objects, breaks: true},
}

// earlier puts files there that an earlier run has left.
func earlier(names ...string) func(*testing.T, string) {
	return func(t *testing.T, dir string) {
		for _, name := range names {
			if err := os.WriteFile(filepath.Join(dir, name), []byte("earlier\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// faultPlans is how many plans each destination meets: few, or as many as the
// environment says (make faults).
func faultPlans(t *testing.T) (from, to int) {
	text := os.Getenv("FAULT_PLANS")
	if text == "" {
		return 0, cases.Few(2, 4)
	}
	first, last, isRange := strings.Cut(text, "-")
	if !isRange {
		first, last = "0", first
	}
	from, err := strconv.Atoi(first)
	if err == nil {
		to, err = strconv.Atoi(last)
	}
	if err != nil {
		t.Fatalf("FAULT_PLANS=%s: want a number of plans, or FROM-TO", text)
	}
	return from, to
}

// TestWhateverBreaksTheOutputIsRightOrInvisible carries plans out: what the
// network does wrong, when a signal comes, when the reader of stdout goes away.
// A run that ends with 0 has exactly the right bytes, any other shows nothing
// (stdout: whole lines, from the first on). Where the plan allows just one of
// the two, that one it must be.
func TestWhateverBreaksTheOutputIsRightOrInvisible(t *testing.T) {
	for _, name := range []string{"AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"} {
		t.Setenv(name, os.DevNull)
	}
	for name, value := range map[string]string{
		"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "a-secret-key", "AWS_EC2_METADATA_DISABLED": "true", "AWS_REGION": "us-east-1",
	} {
		t.Setenv(name, value)
	}
	from, to := faultPlans(t)
	for _, d := range destinations {
		t.Run(d.name, func(t *testing.T) {
			outcomes, outlooks := map[int]int{}, map[outlook]int{}
			for seed := from; seed < to; seed++ {
				right := carryOut(t, &d, &plan{seed: seed, items: newPlan(seed).items, limit: newPlan(seed).limit}, 1, false)
				if right.status != statusOK {
					t.Fatalf("plan %d: nothing goes wrong, and the status is %d:\n%s", seed, right.status, right.stderr)
				}
				for _, concurrency := range []int{1, 8} {
					b := carryOut(t, &d, newPlan(seed), concurrency, true)
					outcomes[b.status]++
					outlooks[b.network.outlook(concurrency)]++
					if wrong := b.compare(right); wrong != "" {
						t.Fatalf("%s\nrepeat it with FAULT_PLANS=%d-%d go test -run '%s' .\nconcurrency %d, status %d after %s\n%s\n%s", wrong,
							seed, seed+1, t.Name(), concurrency, b.status, b.took, strings.Join(b.network.story, "\n"), b.stderr)
					}
				}
			}
			t.Logf("%d plans, runs by status: %v, that had to succeed: %d, to fail: %d", to-from, outcomes, outlooks[good], outlooks[bad])
			if to-from >= 100 && (outcomes[statusOK] == 0 || outcomes[statusFailed] == 0 || outcomes[statusTemporary] == 0 || outcomes[statusTerminated] == 0) {
				t.Errorf("the plans do not reach every status: %v", outcomes)
			}
		})
	}
}

// broken is a run on which a plan was carried out.
type broken struct {
	destination *destination
	dir         string
	concurrency int
	network     *faulty
	bucket      *s3store.Server
	stopped     bool // a signal was to come, or the reader to go away

	status int
	took   time.Duration
	stdout string
	stderr string
	files  map[string]string // visible
	debris []string          // hidden
}

// carryOut runs the program in a bubble, with a plan or, if breaks is not set,
// with the same data and nothing going wrong.
func carryOut(t *testing.T, d *destination, p *plan, concurrency int, breaks bool) *broken {
	b := &broken{destination: d, dir: t.TempDir(), concurrency: concurrency, network: newFaulty(p), bucket: s3store.New("bucket")}
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	if d.prepare != nil {
		d.prepare(t, b.dir)
	}
	synctest.Test(t, func(t *testing.T) { b.run(t, breaks) })
	b.look(t, temp)
	for _, dir := range []string{b.dir, temp} {
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

func (b *broken) run(t *testing.T, breaks bool) {
	p := b.network.plan
	api, dial := http.Handler(b.network), b.network.dial

	if !breaks {
		api, dial = b.network.server, b.network.network.Dial
	}
	var bucket http.Handler = b.bucket
	if breaks && b.destination.breaks {
		bucket = &weary{plan: p, within: b.bucket, visits: map[string]int{}}
	}
	for host, handler := range map[string]http.Handler{faultyHost: api, "s3.test": bucket} {
		stop, err := b.network.network.Serve(host, handler)
		if err != nil {
			t.Fatal(err)
		}
		defer stop()
	}
	var stdout, stderr bytes.Buffer
	w := &world{Stdin: strings.NewReader(p.config()), Stdout: &stdout, Stderr: &stderr, Getenv: func(string) string { return "" }, Now: time.Now, Dial: dial}
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	if breaks && p.draw(12, "signal") == 0 {
		b.stopped = true
		time.AfterFunc(time.Duration(p.draw(60_000, "when"))*time.Millisecond, func() { cancel(interrupted(syscall.SIGTERM)) })
	}
	if breaks && p.draw(12, "reader") == 0 && strings.HasPrefix(b.destination.name, "stdout") {
		b.stopped = true
		why := []error{run.ErrReaderGone, syscall.ENOSPC}[p.draw(2, "why")]
		w.Stdout = &failing{w: &stdout, left: p.draw(5000, "bytes"), err: why}
	}
	began := time.Now()
	b.status = invoke(ctx, w, slices.Concat([]string{"sluice", "run", "-", "-o", b.destination.output(b.dir),
		"--concurrency", strconv.Itoa(b.concurrency), "--run-id", "R", "--s3-endpoint", "http://s3.test"}, b.destination.flags))
	b.took, b.stdout, b.stderr = time.Since(began), stdout.String(), stderr.String()
}

// failing takes some bytes and fails then.
type failing struct {
	w    io.Writer
	left int
	err  error
}

func (f *failing) Write(p []byte) (int, error) {
	n := min(len(p), f.left)
	f.left -= n
	_, _ = f.w.Write(p[:n])
	if n < len(p) {
		return n, f.err
	}
	return n, nil
}

// look finds out what there is now.
func (b *broken) look(t *testing.T, temp string) {
	b.files = map[string]string{}
	for _, root := range []string{b.dir, temp} {
		err := filepath.WalkDir(root, func(path string, e os.DirEntry, err error) error {
			if err != nil || path == root {
				return err
			}
			if name := e.Name(); root == temp || strings.HasPrefix(name, ".") {
				b.debris = append(b.debris, path)
			}
			text := []byte{}
			if !e.IsDir() {
				text, err = os.ReadFile(path)
			}
			b.files[strings.TrimPrefix(path, b.dir)] = string(text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if b.destination.stored != nil {
		b.files = b.destination.stored(t, b)
	}
}

func objects(t *testing.T, b *broken) map[string]string {
	list, err := b.bucket.Objects("bucket")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, o := range list {
		text, err := b.bucket.Read("bucket", o.Key)
		if err != nil {
			t.Fatal(err)
		}
		all[o.Key] = string(text)
	}
	return all
}

// compare says what is wrong, nothing if all is well. right is the same run
// without its plan.
func (b *broken) compare(right *broken) string {
	outlook := b.network.outlook(b.concurrency)
	switch {
	case len(b.debris) > 0:
		return fmt.Sprintf("files are left: %v", b.debris)
	case strings.Contains(b.stderr, "panic") || strings.Contains(b.stderr, "goroutine "):
		return "a panic"
	case outlook == good && b.status != statusOK && !b.stopped && !b.destination.breaks:
		return "the plan is harmless"
	case outlook == bad && b.status == statusOK:
		return "the plan must make it fail"
	case b.status != statusOK && b.stderr == "" && b.status != statusReaderGone:
		return "no word about it"
	case b.status == statusOK:
		if diff := cmp.Diff(right.stdout, b.stdout); diff != "" {
			return "stdout (-want +got):\n" + diff
		}
		if diff := cmp.Diff(withoutManifest(right.files), withoutManifest(b.files)); diff != "" {
			return "files (-want +got):\n" + diff
		}
		return ""
	case !slices.Contains([]int{statusFailed, statusTemporary, statusTerminated, statusReaderGone}, b.status):
		return "there is no such status"
	case !strings.HasPrefix(right.stdout, b.stdout):
		return "stdout is not the beginning of what is right:\n" + b.stdout
	case b.destination.name == "stdout" && !b.stopped && b.stdout != "" && !strings.HasSuffix(b.stdout, "\n"):
		return "a torn line"
	case b.destination.name == "stdout-gzip" && b.stdout == right.stdout:
		return "the stream of a failed run has a proper end"
	}
	if b.destination.breaks {
		return b.whole(right)
	}
	if diff := cmp.Diff(b.before(), b.files); diff != "" {
		return "it failed, and something is visible (-want +got):\n" + diff
	}
	return ""
}

// whole says what is wrong with what a run shows that failed since its
// destination did: objects that are published may not all be, but each is whole.
// There is a manifest only if all are there: then the answer to its upload was
// lost, and what asked for it could not be asked whether it is there.
func (b *broken) whole(right *broken) string {
	manifest := false
	for name, text := range b.files {
		isManifest := strings.HasSuffix(name, "_manifest.json")
		manifest = manifest || isManifest
		if !isManifest && text != right.files[name] {
			return "half an object: " + name
		}
	}
	if manifest && len(b.files) < len(right.files) {
		return "there is a manifest, and not all that it lists"
	}
	return ""
}

// before is what was there before the run.
func (b *broken) before() map[string]string {
	all := map[string]string{}
	switch b.destination.name {
	case "file":
		all["/out.ndjson"] = "earlier\n"
	case "folder-again":
		for _, name := range []string{"users.csv.zst", "orders.csv.zst", "details.csv.zst", "_manifest.json"} {
			all["/"+name] = "earlier\n"
		}
	}
	return all
}

// withoutManifest leaves out what tells of requests and times, which differ.
func withoutManifest(files map[string]string) map[string]string {
	all := map[string]string{}
	for name, text := range files {
		if !strings.HasSuffix(name, "_manifest.json") {
			all[name] = text
		}
	}
	return all
}
