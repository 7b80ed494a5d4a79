package sink

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"sluice/pipeline"
	"sluice/sink/target"
)

const longestText = 1 << 30 // that is read of what shards share

// Shared is what the processes of one run share at its destination: texts below
// _sluice/<run id>/ that are written once (docs/decisions.md, section 23).
type Shared struct {
	target.Store
	id     string
	folder string // of the texts, on this machine; empty in a bucket
	names  string // the beginning of the names of the texts
}

// A fragment is what one shard leaves, and the commit what publishing makes of all.
type fragment struct {
	Shards   int               `json:"shards"`
	Report   *pipeline.Report  `json:"report"`
	Manifest string            `json:"manifest"` // its name
	Objects  []target.Sealed   `json:"objects"`
	Progress []json.RawMessage `json:"progress,omitempty"` // of all reports
}

// NotReady says that shards are missing, with the exit status of one that failed for good,
// 0 if all may still come.
type NotReady struct {
	Shards string
	Status int
}

func (n *NotReady) Error() string {
	if n.Status == 0 {
		return "nothing is published: these shards have not ended: " + n.Shards
	}
	return fmt.Sprintf("nothing is published: shard %s has failed with status %d: look into its log, and run it again", n.Shards, n.Status)
}

// ErrShards says that a run has more shards than are to be published, or fewer.
var ErrShards = errors.New("nothing is published: this run has another number of shards")

// Share returns what the run of these options shares. It does no I/O.
func Share(o Options) (*Shared, error) {
	p := &plan{options: &o}
	if p.locate(o.Output); p.single != "" {
		return nil, fmt.Errorf("%s: the shards of a run write to a folder (DIR/) or below a prefix (s3://bucket/prefix/)", cmp.Or(o.Output, "-"))
	}
	t, err := p.open()
	if err != nil {
		return nil, err
	}
	return p.share(t), nil
}

func (p *plan) share(t target.Target) *Shared {
	id := strings.ReplaceAll(url.QueryEscape(p.options.RunID), ".", "%2E")
	s := &Shared{Store: t.(target.Store), id: p.options.RunID, names: "_sluice/" + id + "/"}
	if p.scheme == "" {
		s.folder = filepath.Join(p.folder, "_sluice", id)
	}
	return s
}

// ShardName begins the names of what is kept of a shard.
func ShardName(shard int) string { return fmt.Sprintf("shard-%05d", shard) }

func (s *Shared) of(shard int, ext string) string { return s.names + ShardName(shard) + ext }

// read reads a text; into stays as it is if there is none.
func (s *Shared) read(ctx context.Context, name string, into any) error {
	text, err := s.Head(ctx, name, longestText)
	if err == nil && len(text) > 0 {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// write writes a text. If it was written before, that is put into first.
func (s *Shared) write(ctx context.Context, name string, value, first any) error {
	text, err := json.Marshal(value)
	if err == nil {
		err = s.Put(ctx, name, text)
	}
	if errors.Is(err, fs.ErrExist) && first != nil {
		return s.read(ctx, name, first)
	}
	return err
}

// published returns the manifest of the run, nil if there is none.
func (s *Shared) published(ctx context.Context) (*pipeline.Report, error) {
	names, err := s.List(ctx, "_manifest")
	for name := range names {
		var r pipeline.Report
		text, err := s.Head(ctx, name, longestText)
		if err != nil {
			return nil, err
		}
		if json.Unmarshal(text, &r) == nil && r.RunID == s.id { // what is no manifest does not matter
			return &r, nil
		}
	}
	return nil, err
}

// Done returns the report of the run, if it is published, else that of the shard, if it is
// sealed: then nothing is left to do for the shard.
func (s *Shared) Done(ctx context.Context, shard int) (*pipeline.Report, error) {
	var f fragment
	r, err := s.published(ctx)
	if err == nil && r == nil {
		err = s.read(ctx, s.of(shard, ".json"), &f)
	}
	return cmp.Or(r, f.Report), err
}

// Join enters what all shards have in common, if this is the first of them. If it is not,
// what the first has entered is put into first.
func (s *Shared) Join(ctx context.Context, record, first any) error {
	return s.write(ctx, s.names+"run.json", record, first)
}

// Fail leaves the status of a shard that has failed for good.
func (s *Shared) Fail(ctx context.Context, shard, status int) error {
	return s.write(ctx, s.of(shard, ".failed"), status, new(int))
}

// leave ends a shard, and tells whether what it has sealed stays for others to publish: not
// if another process has done the same shard.
func (s *Shared) leave(ctx context.Context, shard int, f *fragment) (bool, error) {
	err := s.write(ctx, s.of(shard, ".json"), f, nil)
	if errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	if err != nil {
		return true, err // it may be there all the same
	}
	// Who publishes removes fragments only after the manifest is there.
	if r, err := s.published(ctx); err != nil || r == nil {
		return true, cmp.Or(err, s.Remove(ctx, s.of(shard, ".failed")))
	}
	return false, s.Remove(ctx, s.of(shard, ".json"))
}

// Publish makes visible what all shards of a run have sealed, or nothing, and the manifest
// last. Each step may be repeated, and be done by two processes at a time: what follows
// from the commit, which is written once, is the same for both. shown is told when all is
// visible. The report is returned also of what is not good enough.
func (s *Shared) Publish(ctx context.Context, shards int, want pipeline.Options, shown func(*pipeline.Report, []json.RawMessage) error) (*pipeline.Report, error) {
	if err := s.Probe(ctx, nil); err != nil {
		return nil, err
	}
	c := &fragment{}
	err := s.read(ctx, s.names+"commit.json", c)
	if err != nil {
		return nil, err
	}
	there, err := s.published(ctx)
	if err == nil && there == nil && c.Report == nil {
		if err = s.decide(ctx, shards, want, c); errors.As(err, new(*NotReady)) {
			if there, _ = s.published(ctx); there != nil { // by another process, which removes fragments after that
				c.Report, err = nil, nil
			}
		}
	}
	if err == nil && there == nil {
		err = s.show(ctx, c)
	}
	if err == nil && c.Report != nil {
		err = shown(c.Report, c.Progress)
	}
	if err == nil {
		err = s.forget(ctx)
	}
	return cmp.Or(c.Report, there), err
}

// decide judges all shards together, and enters the commit.
func (s *Shared) decide(ctx context.Context, shards int, want pipeline.Options, c *fragment) error {
	var missing []string
	var reports []*pipeline.Report
	var ends [][]pipeline.WalkEnd
	names, err := s.List(ctx, s.names)
	for i := 0; i < shards && err == nil; i++ {
		var f fragment
		if _, there := names[s.of(i, ".json")]; there {
			err = s.read(ctx, s.of(i, ".json"), &f)
		} else if _, failed := names[s.of(i, ".failed")]; failed {
			n := &NotReady{Shards: strconv.Itoa(i)}
			err = cmp.Or(s.read(ctx, s.of(i, ".failed"), &n.Status), error(n))
		}
		if f.Report != nil && f.Shards != shards {
			err = fmt.Errorf("%w: %d, not %d", ErrShards, f.Shards, shards)
		}
		if f.Report == nil {
			missing = append(missing, strconv.Itoa(i))
		} else {
			c.Manifest, c.Objects, c.Progress = f.Manifest, append(c.Objects, f.Objects...), append(c.Progress, f.Report.Progress)
			reports, ends = append(reports, f.Report), append(ends, f.Report.Walks)
		}
	}
	if err == nil && missing != nil {
		err = &NotReady{Shards: strings.Join(missing, ", ")}
	}
	if err != nil {
		return err
	}
	c.Report = pipeline.Merge(reports)
	if err = pipeline.JudgeShards(c.Report, ends); err == nil {
		err = want.Accept(c.Report)
	}
	if err != nil {
		return err
	}
	first := fragment{}
	if err = s.write(ctx, s.names+"commit.json", c, &first); first.Report != nil {
		*c = first
	}
	return err
}

// show makes visible what was decided.
func (s *Shared) show(ctx context.Context, c *fragment) error {
	if err := each(ctx, c.Objects, func(ctx context.Context, o target.Sealed) error {
		stands, err := s.Stands(ctx, o)
		if err == nil && !stands {
			err = fmt.Errorf("%s: what a shard has sealed is gone: a sweep or a lifecycle rule has ended it, or another run has replaced it: begin anew with another --run-id", o.Name)
		}
		return err
	}); err != nil {
		return err
	}
	earlier, still := &pipeline.Report{}, &fragment{}
	if err := s.read(ctx, s.names+"commit.json", still); err != nil || still.Report == nil {
		return cmp.Or(err, s.overtaken(ctx))
	}
	_ = s.read(ctx, c.Manifest, earlier) // what is no manifest goes too
	if earlier.RunID != s.id {
		if err := s.Remove(ctx, c.Manifest); err != nil {
			return err
		}
	}
	if err := each(ctx, c.Objects, s.Finish); err != nil {
		return err
	}
	text, err := manifestText(c.Report)
	if err == nil {
		err = s.Put(ctx, c.Manifest, text)
	}
	if errors.Is(err, fs.ErrExist) {
		return s.overtaken(ctx)
	}
	return err
}

// overtaken tells whether it is this run that another process has published meanwhile.
func (s *Shared) overtaken(ctx context.Context) error {
	r, err := s.published(ctx)
	if r == nil && err == nil {
		err = errors.New("another process has published this run meanwhile, and another run has replaced it since")
	}
	return err
}

// forget removes all texts of the run, the commit last.
func (s *Shared) forget(ctx context.Context) error {
	names, err := s.List(ctx, s.names)
	delete(names, s.names+"commit.json")
	for name := range names {
		if err == nil {
			err = s.Remove(ctx, name)
		}
	}
	if err == nil {
		err = s.Remove(ctx, s.names+"commit.json")
	}
	if err == nil && s.folder != "" {
		_ = os.Remove(s.folder) // it may hold what another process writes
		_ = os.Remove(filepath.Dir(s.folder))
	}
	return err
}

// each does something with all objects, several at a time.
func each(ctx context.Context, objects []target.Sealed, do func(context.Context, target.Sealed) error) error {
	const atOnce = 16
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	slots := make(chan struct{}, atOnce)
	var working sync.WaitGroup
	for _, o := range objects {
		slots <- struct{}{}
		working.Go(func() {
			err := cmp.Or(context.Cause(ctx), checkName(o.Name))
			if err == nil {
				err = pipeline.Guard(func() error { return do(ctx, o) })
			}
			if err != nil {
				fail(err)
			}
			<-slots
		})
	}
	working.Wait()
	return context.Cause(ctx)
}
