// Package source fetches items: it turns a configuration into walks over pages,
// requests the pages through session and paging, judges each, and emits the
// items in order. It implements pipeline.Source.
package source

import (
	"context"
	"iter"
	"net"
	"net/http"
	"net/url"
	"slices"
	"time"

	"golang.org/x/time/rate"

	"sluice/pipeline"
	"sluice/pipeline/secret"
	"sluice/source/config"
	"sluice/source/page"
	"sluice/source/paginate"
	"sluice/source/request"
	"sluice/source/transport"
)

var _ pipeline.Source = &Source{}

// Options of a [Source]. The zero value is useful.
type Options struct {
	Jobs        []string // only these (id or data type); empty: all
	Concurrency int      // API requests in flight; less than 1 is 1
	ConfirmEnd  bool     // after an underflow with items ask for one page more

	Proxy         func(*http.Request) (*url.URL, error)                                // nil: none
	Dial          func(ctx context.Context, network, address string) (net.Conn, error) // nil: the network
	Limiter       *rate.Limiter                                                        // nil: no limit
	Observer      pipeline.Observer                                                    // nil: nobody
	Secrets       *secret.Set                                                          // nil: a new one
	Now           func() time.Time                                                     // nil: time.Now
	PreviousStart int64                                                                // time.previousStart, Unix seconds
	TempDir       string                                                               // of pages that are too large for memory
	UserAgent     string

	Record *transport.Recorder // writes the traffic down; nil: nobody
	Replay *transport.Replay   // answers instead of the API; nil: the API does

	// Call, if set, is asked for the result of each function of the configuration
	// before it is applied: both are compact JSON. See [Source.Plan].
	Call func(function string, args [][]byte) (result []byte, ok bool)
}

// A Source is a configuration, compiled. It runs once.
type Source struct {
	o       Options
	started time.Time // time.currentStart
	jobs    []*job
	rest    []*job      // that Options.Jobs leaves out
	between func(*walk) // sees each walk between two pages; nil but in tests
	paging  *paginate.Paging
	signer  *request.Signer // nil: no authentication
	run     context.Context // of logins
	client  *transport.Client
	decoder *page.Decoder
}

// New compiles a configuration. It does no I/O; what is wrong goes to p, and the
// source is of use only if there is nothing.
func New(d *config.Document, o Options, p *config.Problems) *Source {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Observer == nil {
		o.Observer = pipeline.Observers{}
	}
	if o.Secrets == nil {
		o.Secrets = &secret.Set{}
	}
	o.Concurrency = max(o.Concurrency, 1)
	o.Secrets.KeepSignatures(o.Concurrency)
	s := &Source{o: o, started: o.clock()(), decoder: &page.Decoder{Folder: o.TempDir, Redact: o.Secrets.Redact}}
	c := &compiler{source: s, doc: d, problems: p}
	s.client = transport.New(transport.Options{
		TLS:            c.tls(),
		Proxy:          o.Proxy,
		Dial:           o.Dial,
		ConnectTimeout: d.ConnectTimeout,
		IdleTimeout:    d.RequestTimeout,
		Retry:          transport.Retry{MaxRetries: d.Retry.MaxRetries, Codes: d.Retry.Codes, Header: d.Retry.Header},
		Connections:    o.Concurrency,
		Limiter:        o.Limiter,
		Observer:       o.Observer,
		Secrets:        o.Secrets,
		UserAgent:      o.UserAgent,
		Accept:         func(status int) bool { return slices.Contains(d.IgnoreErrors, status) },
		Record:         o.Record,
		Replay:         o.Replay,
	})
	c.compile()
	return s
}

// clock is what the configuration and the expiry of a session take for the time:
// that of the recorded run in a replay.
func (o *Options) clock() func() time.Time {
	if o.Replay == nil {
		return o.Now
	}
	ahead := o.Replay.StartedAt.Sub(o.Now())
	return func() time.Time { return o.Now().Add(ahead) }
}

// Outputs implements [pipeline.Source]: one for each data type, in the order of
// the jobs. Two data types that fall on one name stay two.
func (s *Source) Outputs() []pipeline.Output { return outputs(s.jobs) }

// Rest is what the jobs that Options.Jobs leaves out would fill.
func (s *Source) Rest() []pipeline.Output { return outputs(s.rest) }

func outputs(jobs []*job) []pipeline.Output {
	var all []pipeline.Output
	for j := range tree(jobs) {
		i := slices.IndexFunc(all, func(o pipeline.Output) bool { return o.DataType == j.dataType })
		if i < 0 {
			i = len(all)
			all = append(all, pipeline.Output{DataType: j.dataType, Name: pipeline.FileName(j.dataType)})
		}
		all[i].Jobs = append(all[i].Jobs, j.id)
	}
	return all
}

// Roots returns the ids of the jobs that run, but for those below another job.
func (s *Source) Roots() []string {
	var ids []string
	for _, j := range s.jobs {
		ids = append(ids, j.id)
	}
	return ids
}

// Jobs returns the jobs of the run, for the head of its report.
func (s *Source) Jobs() []pipeline.JobReport {
	var all []pipeline.JobReport
	for j := range tree(s.jobs) {
		all = append(all, pipeline.JobReport{ID: j.id, DataType: j.dataType})
	}
	return all
}

// tree goes through jobs and all below them, parents first.
func tree(jobs []*job) iter.Seq[*job] {
	return func(yield func(*job) bool) {
		for _, j := range jobs {
			if !yield(j) {
				return
			}
			for _, c := range j.children {
				for below := range tree([]*job{c.job}) {
					if !yield(below) {
						return
					}
				}
			}
		}
	}
}

// Extract implements [pipeline.Source].
func (s *Source) Extract(ctx context.Context, emit func(*pipeline.Batch) error) error {
	defer s.client.Close()
	if err := newCoordinator(s, emit).run(ctx); err != nil {
		return err
	}
	return s.o.Record.Err()
}

func (s *Source) warn(job, text string, v pipeline.Verdict) {
	s.o.Observer.Observe(pipeline.Warned{Job: job, Text: s.o.Secrets.Redact(text), Verdict: v, At: s.o.Now()})
}

// signerOf returns what signs r: nothing if it goes to another origin than the API's.
func (s *Source) signerOf(r *request.Request) *request.Signer {
	if !r.Trusted {
		return nil
	}
	return s.signer
}
