package run

import (
	"crypto/rand"
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"time"

	"sluice/pipeline/secret"
	"sluice/sink"
	"sluice/sink/commit"
	"sluice/sink/s3"
	"sluice/sink/target"
)

// A process is what one process of a run goes by besides its flags.
type process struct {
	world   *World
	secrets *secret.Set
	console *console
	options *Options

	// Of the run.
	id   string
	date string

	// Whose the hidden files of this process are.
	mark target.Mark

	// Those that flags name, by flag.
	files map[string]target.ResolvedFile

	// How places of s3:// are reached.
	bucket s3.Options
}

// newProcess fills in what the flags leave open.
func newProcess(c *console, o *Options, id string, m target.Mark) (*process, error) {
	p := &process{world: c.world, secrets: c.secrets, console: c, options: o, id: id, date: o.Date, mark: m}
	if p.date == "" {
		p.date = p.now().UTC().Format(time.DateOnly)
	}
	c.secrets.Choose(id, o.Data.Output)
	files, err := o.apart()
	p.files = files
	p.bucket = s3Options(c.world, c.secrets, o.Bucket)
	p.bucket.Again = c.again("the destination")
	return p, err
}

func (p *process) now() time.Time { return p.world.Now() }

// s3Options are what flags say of a bucket.
func s3Options(w *World, secrets *secret.Set, b Bucket) s3.Options {
	return s3.Options{
		Endpoint:     b.Endpoint,
		Region:       b.Region,
		PathStyle:    b.PathStyle,
		PartSize:     b.PartSize,
		Anonymous:    b.Anonymous,
		Stored:       b.Stored,
		ContentTypes: sink.ContentTypes(),
		Dial:         w.Dial,
		Secrets:      secrets,
	}
}

// targets opens places of s3://.
func targets(bucket s3.Options) map[string]func(string) (target.Target, error) {
	return map[string]func(string) (target.Target, error){
		"s3": func(place string) (target.Target, error) { return s3.New(bucket, place) },
	}
}

// work names what a process of a run does, among all that may write to one place: two runs may have one id, and then
// they have other journals, or are other shards.
func (o *Options) work() string {
	if o.Shard.N > 0 {
		return fmt.Sprintf("%s\n%d/%d", o.Data.Output, o.Shard.I, o.Shard.N)
	}
	return o.Data.Output + "\n" + o.Journal.Place
}

// journalPlace is where this process keeps its journal: each shard has one.
func (o *Options) journalPlace() string {
	if o.Journal.Place == "" || o.Shard.N == 0 {
		return o.Journal.Place
	}
	return o.Journal.Place + commit.ShardName(o.Shard.I) + "/"
}

// A named file is one that a flag names.
type namedFile struct {
	flag, name string

	// The run writes it.
	written bool

	// The run may replace it among its outputs: it was read before.
	replaceable bool
}

// apart refuses two names of one file, no device, where one of them is written. It returns the files by their flags.
func (o *Options) apart() (map[string]target.ResolvedFile, error) {
	all := []namedFile{
		{flag: "--output", name: o.Data.Output, written: true},
		{flag: "--summary", name: o.Beside.Summary, written: true},
		{flag: "--report", name: o.Beside.Page, written: true},
		{flag: "--state", name: o.Beside.State, written: true},
		{flag: "--tokens", name: o.Beside.Tokens, written: true},
		{flag: "--trace", name: o.Beside.Trace, written: true},
		{flag: "CONFIG", name: o.Input.Config},
		{flag: "--columns-from", name: o.Data.ColumnsFrom},
	}
	if o.Expect != lastManifest {
		all = append(all, namedFile{flag: "--expect", name: o.Expect, replaceable: true})
	}
	for _, setting := range o.Input.Files {
		attribute, name, _ := strings.Cut(setting, "=")
		all = append(all, namedFile{flag: "--attr-file " + attribute, name: name})
	}
	places := map[string]target.ResolvedFile{}
	written := map[string]target.ResolvedFile{}
	for _, f := range all {
		place, ok := f.place()
		if !ok {
			continue
		}
		for other, at := range written {
			if at.Same(place) {
				return nil, Usagef(
					"%s and %s name one file, %s: the one would replace the other",
					other,
					f.flag,
					f.name,
				)
			}
		}
		if f.written && target.IsHidden(filepath.Base(place.Path)) {
			return nil, Usagef(
				"%s names %s, which is the name of a hidden file: name another file",
				f.flag,
				f.name,
			)
		}
		if f.written {
			written[f.flag] = place
		}
		if !f.replaceable {
			places[f.flag] = place
		}
	}
	return places, nil
}

// objects are those that flags name, by flag, which a run writes besides its data.
func (o *Options) objects() map[string]string {
	all := map[string]string{"--state": o.Beside.State, "--tokens": o.Beside.Tokens}
	maps.DeleteFunc(all, func(_, uri string) bool { return !strings.HasPrefix(uri, "s3://") })
	return all
}

// place is where a file is that could be another one. What is wrong with it otherwise is said when it is opened.
func (f namedFile) place() (target.ResolvedFile, bool) {
	isStream := f.name == "" || f.name == "-"
	if isStream || strings.Contains(f.name, "://") {
		return target.ResolvedFile{}, false
	}
	place, err := target.Resolve(f.name)
	if err != nil {
		return place, false
	}
	return place, place.Info == nil || place.Info.Mode().IsRegular()
}

// crockford are the digits of a ULID: 32 that are not taken for one another.
const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// newID makes the id of a run that has none, a ULID: ids sort by the time, in milliseconds, and 80 bits are random.
func newID(at time.Time) string {
	const timeDigits, randomDigits, bitsOfDigit = 10, 16, 5
	id := make([]byte, timeDigits+randomDigits)
	ms := at.UnixMilli()
	for i := timeDigits - 1; i >= 0; i-- {
		id[i] = crockford[ms%int64(len(crockford))]
		ms >>= bitsOfDigit
	}
	_, _ = rand.Read(id[timeDigits:])
	for i := timeDigits; i < len(id); i++ {
		id[i] = crockford[int(id[i])%len(crockford)]
	}
	return string(id)
}
