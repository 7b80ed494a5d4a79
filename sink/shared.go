package sink

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"sluice/pipeline"
	"sluice/sink/target"
)

const (
	texts       = "_sluice/" // the folder of what shards share
	longestText = 1 << 30    // that is read of it
)

// Shared is what the processes of a run share: texts that are written once (docs/decisions.md, section 23).
type Shared struct {
	target.Store
	id    string
	place string // DIR/ or s3://bucket/prefix/
	names string // the beginning of the names of the texts
}

// A fragment is what one shard leaves, and the commit what publishing makes of all.
type fragment struct {
	Shards   int               `json:"shards"`
	Report   *pipeline.Report  `json:"report"`
	Manifest string            `json:"manifest"` // its name
	Objects  []target.Sealed   `json:"objects"`
	Progress []json.RawMessage `json:"progress,omitempty"` // of all reports
	Stale    []target.Sealed   `json:"stale,omitempty"`    // names that an earlier run has, and this one has with other numbers
}

// NotReady says that shards are missing, with the exit status of one that failed for good, 0 if all may still come.
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
	return &Shared{Store: t.(target.Store), id: p.options.RunID, place: p.folder, names: textsOf(p.options.RunID)}
}

func textsOf(id string) string {
	return texts + strings.ReplaceAll(url.QueryEscape(id), ".", "%2E") + "/"
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

// Done returns the report of the run, if it is published, else that of the shard, if it is sealed.
func (s *Shared) Done(ctx context.Context, shard int) (*pipeline.Report, error) {
	var f fragment
	r, err := s.published(ctx)
	if err == nil && r == nil {
		err = s.read(ctx, s.of(shard, ".json"), &f)
	}
	return cmp.Or(r, f.Report), err
}

// Join enters what all shards have in common, or puts into first what the first of them has entered.
func (s *Shared) Join(ctx context.Context, record, first any) error {
	return s.write(ctx, s.names+"run.json", record, first)
}

// Fail leaves the status of a shard that has failed for good.
func (s *Shared) Fail(ctx context.Context, shard, status int) error {
	return s.write(ctx, s.of(shard, ".failed"), status, new(int))
}

// leave ends a shard, and tells whether what it has sealed stays: not if another process has done the same.
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

// Publish makes visible what all shards of a run have sealed, or nothing, and the manifest last. Each step may be
// repeated, and be done by two processes at a time. shown is told when all is visible.
func (s *Shared) Publish(ctx context.Context, shards int, want pipeline.Options, shown func(context.Context, *pipeline.Report, []json.RawMessage) error) (*pipeline.Report, error) {
	c := &fragment{}
	if err := s.read(ctx, s.names+"commit.json", c); err != nil {
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
		err = shown(ctx, c.Report, c.Progress)
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
	if err == nil {
		err = keeps(ctx, s, c.empty(), want.Strict)
	}
	if err == nil {
		err = s.stand(ctx, c, fmt.Sprintf("nothing is published: remove what is left with sluice sweep %s --abort --run-id %s, and run all shards again", s.place, s.id))
	}
	if err != nil {
		return err
	}
	first, earlier := fragment{}, pipeline.Report{}
	_ = s.read(ctx, c.Manifest, &earlier) // what is no manifest lists nothing
	c.addStale(earlier.Outputs)
	if err = s.write(ctx, s.names+"commit.json", c, &first); first.Report != nil {
		*c = first
	}
	return err
}

// empty returns the objects without items, but for those of an output of which another shard has some.
func (c *fragment) empty() (all []*output) {
	items := map[string]int64{}
	for i, o := range c.Objects {
		items[o.Like] += c.Report.Outputs[i].Items
	}
	for i, o := range c.Objects {
		if items[o.Like] == 0 {
			all = append(all, &output{name: o.Name, entry: &c.Report.Outputs[i]})
		}
	}
	return all
}

// addStale enters what an earlier run has listed, and what differs from a name of this run by its numbers only.
func (c *fragment) addStale(earlier []pipeline.OutputReport) {
	number, own, like := regexp.MustCompile("\x00(part|shards?)\x00"), map[string]bool{}, map[string]bool{}
	for _, o := range c.Objects {
		own[o.Name], like[number.ReplaceAllLiteralString(regexp.QuoteMeta(o.Like), `\d{5}`)] = true, true
	}
	same := regexp.MustCompile("^(" + strings.Join(slices.Collect(maps.Keys(like)), "|") + ")$")
	place := strings.TrimSuffix(filepath.ToSlash(c.Report.Outputs[0].URI), c.Objects[0].Name)
	for _, o := range earlier {
		if name, below := strings.CutPrefix(filepath.ToSlash(o.URI), place); below && !own[name] && same.MatchString(name) {
			c.Stale = append(c.Stale, target.Sealed{Name: name})
		}
	}
}

// stand tells whether all that shards have sealed can be published, or is; if not, advice says what to do.
func (s *Shared) stand(ctx context.Context, c *fragment, advice string) error {
	return each(ctx, c.Objects, func(ctx context.Context, o target.Sealed) error {
		stands, err := s.Stands(ctx, o)
		if err == nil && !stands {
			err = fmt.Errorf("%s: what a shard has sealed is gone: a sweep or a lifecycle rule has ended it, or another run has replaced it; %s", o.Name, advice)
		}
		return err
	})
}

// show makes visible what was decided.
func (s *Shared) show(ctx context.Context, c *fragment) error {
	if err := s.stand(ctx, c, "begin anew with another --run-id"); err != nil {
		return err
	}
	if going, err := s.committed(ctx); err != nil || !going {
		return cmp.Or(err, s.overtaken(ctx))
	}
	earlier := &pipeline.Report{}
	_ = s.read(ctx, c.Manifest, earlier) // what is no manifest goes too
	text, err := manifestText(c.Report)
	if err == nil && earlier.RunID != s.id {
		err = s.Remove(ctx, c.Manifest)
	}
	if err == nil {
		err = each(ctx, c.Objects, s.Finish)
	}
	if err == nil {
		err = each(ctx, c.Stale, func(ctx context.Context, o target.Sealed) error {
			if going, err := s.committed(ctx); err != nil || !going { // then it is removed, and what is there is a later run's
				return err
			}
			return s.Remove(ctx, o.Name)
		})
	}
	if err == nil {
		err = s.Put(ctx, c.Manifest, text)
	}
	if errors.Is(err, fs.ErrExist) {
		return s.overtaken(ctx)
	}
	return err
}

// committed tells whether the commit is there: who publishes removes it at the end.
func (s *Shared) committed(ctx context.Context) (bool, error) {
	names, err := s.List(ctx, s.names+"commit.json")
	return len(names) > 0, err
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
	for _, name := range append(slices.Collect(maps.Keys(names)), s.names+"commit.json") {
		if err == nil {
			err = s.Remove(ctx, name)
		}
	}
	if err == nil && !strings.Contains(s.place, "://") {
		_ = os.Remove(filepath.Join(s.place, s.names)) // it may hold what another process writes
		_ = os.Remove(filepath.Join(s.place, texts))
	}
	return err
}

// Sweep lists the sharded runs that nobody has published, or that of an id alone. It ends those of which the last
// text was written before a time, with what is sealed, unless their publishing has begun.
func Sweep(ctx context.Context, at target.Store, place, id string, before time.Time) (found []target.Leftover, err error) {
	runs, err := at.List(ctx, texts)
	for _, run := range slices.Sorted(maps.Keys(runs)) {
		if err != nil || !strings.HasSuffix(run, "/") || id != "" && run != textsOf(id) {
			continue
		}
		s, left := &Shared{Store: at, place: place, names: run}, target.Leftover{URI: strings.TrimSuffix(place, "/") + "/" + run}
		var names map[string]time.Time
		if names, err = s.List(ctx, run); len(names) > 0 {
			left.Since = slices.MaxFunc(slices.Collect(maps.Values(names)), time.Time.Compare)
		}
		_, publishing := names[run+"commit.json"]
		switch old := left.Since.Before(before); {
		case err != nil || !old:
		case !publishing:
			err = s.abandon(ctx, names)
			left.Removed = err == nil
		case id != "":
			err = fmt.Errorf("%s: its publishing has begun, and only sluice publish can end that", left.URI)
		}
		found = append(found, left)
	}
	return found, err
}

// abandon ends what the shards of a run have sealed, and its texts.
func (s *Shared) abandon(ctx context.Context, names map[string]time.Time) error {
	for name := range names {
		var f fragment
		if strings.HasSuffix(name, ".json") {
			if err := s.read(ctx, name, &f); err != nil {
				return err
			}
		}
		if err := each(ctx, f.Objects, s.Abandon); err != nil {
			return err
		}
	}
	return s.forget(ctx)
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
