package cli

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"sluice/cli/view"
	"sluice/pipeline"
	"sluice/pipeline/secret"
	"sluice/source"
	"sluice/source/config"
)

func checkCommand(w *world, secrets *secret.Set, logging *logFlags) *cli.Command {
	var format string
	var set attributes
	k := &checker{secrets: secrets}
	o := source.Options{Secrets: secrets, Dial: w.dial, UserAgent: "sluice/" + version}
	return &cli.Command{
		Name: "check", ArgsUsage: "CONFIG [flags]",
		Usage: "log in, fetch the first page of each job and show what was found; write nothing",
		Description: `For each job: status and time, where the items are and how many, the members of
the first one, and what decides whether there is a next page.
As JSON: an array of what was asked in order, {login, expires} or {job, status,
seconds, bytes, page: {items, array, members, …}, next or stop, warnings, error}.`,
		UsageText: `  sluice check api.json
  sluice check api.json --job users --format json | jq '.[] | select(.page) | {job, items: .page.items}'`,
		Flags: slices.Concat(
			[]cli.Flag{jobFlag(&o), formatFlag(&format, "text")},
			logging.flags("warn"),
			[]cli.Flag{stateFlag(&o, nil)},
			set.flags(),
		),
		Action: withOne("configuration", func(ctx context.Context, name string) error {
			o.Observer = pipeline.Observers{k, logging.log(w.stderr, slog.LevelWarn, secrets)}
			var err error
			if o.Proxy, err = proxy(w.getenv, secrets); err != nil {
				return err
			}
			var p config.Problems
			src, err := compile(w, name, &set, o, &p)
			if err != nil {
				return err
			}
			if err := p.Err(); err != nil {
				return err
			}
			if format == "text" {
				k.text = w.stdout
			}
			err = k.check(ctx, src)
			if format == "json" {
				if err := writeJSON(w.stdout, secrets, k.all); err != nil {
					return err
				}
			}
			return err
		}),
	}
}

// checker shows what first pages hold.
type checker struct {
	secrets *secret.Set
	text    io.Writer // nil: collect only
	all     []checked
	failed  []error
	answer  pipeline.ResponseDone // the last one
}

// checked is what check shows of one job.
type checked struct {
	Job      string   `json:"job,omitempty"`
	DataType string   `json:"dataType,omitempty"`
	Above    string   `json:"above,omitempty"`
	Login    bool     `json:"login,omitempty"` // the login request, not a job
	Error    string   `json:"error,omitempty"`
	Skipped  string   `json:"skipped,omitempty"` // why nothing was asked
	Method   string   `json:"method,omitempty"`
	URL      string   `json:"url,omitempty"`
	Status   int      `json:"status,omitempty"`
	Seconds  float64  `json:"seconds,omitempty"` // of the last attempt, body included
	Bytes    int64    `json:"bytes,omitempty"`
	Expires  string   `json:"expires,omitempty"` // of the session; RFC 3339
	Page     *page    `json:"page,omitempty"`
	Stop     *stopped `json:"stop,omitempty"`
	Next     string   `json:"next,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
}

// page is what a page holds.
type page struct {
	Items    int      `json:"items"`
	Array    string   `json:"array"` // where they are
	Detected bool     `json:"detected"`
	First    string   `json:"first,omitempty"` // kind of the first item
	Members  []member `json:"members,omitempty"`
	Looks    []look   `json:"looks"`
}

type member struct {
	Name string `json:"name"`
	Kind string `json:"kind"`
}

type look struct {
	At    string `json:"at"`
	Found string `json:"found"`
}

// stopped is why there is no next page.
type stopped struct {
	Reason  string           `json:"reason"`
	Verdict pipeline.Verdict `json:"verdict"`
}

// Observe implements [pipeline.Observer].
func (k *checker) Observe(e pipeline.Event) {
	switch e := e.(type) {
	case pipeline.ResponseDone:
		k.answer = e
	case pipeline.LoggedIn:
		c := checked{Login: true, Job: e.Job}
		if !e.Expires.IsZero() {
			c.Expires = e.Expires.UTC().Format(time.RFC3339)
		}
		k.all = append(k.all, c)
	}
}

// check looks at the jobs. The error says how many failed.
func (k *checker) check(ctx context.Context, src *source.Source) error {
	jobs, shown := 0, 0
	err := src.Check(ctx, func(c source.Checked) error {
		jobs++
		if c.Err != nil {
			k.failed = append(k.failed, c.Err)
		}
		k.all = append(k.all, k.job(c))
		for ; shown < len(k.all); shown++ {
			if err := k.show(&k.all[shown]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		err = cause(ctx, err)
		k.all = append(k.all, checked{Login: ctx.Err() == nil, Error: k.secrets.Redact(err.Error())})
		return err
	}
	if len(k.failed) > 0 {
		return fmt.Errorf("%d of %s failed, the first with: %w", len(k.failed), view.Count(jobs, "job"), k.failed[0])
	}
	return nil
}

// job is what is shown of a job.
func (k *checker) job(c source.Checked) checked {
	out := checked{Job: c.Job, DataType: c.DataType, Above: c.Above}
	if c.NoParent {
		out.Skipped = "no item on the first page of " + c.Above + " leads here"
		return out
	}
	if a := k.answer; a.Job == c.Job && !a.Login() {
		out.Method, out.URL, out.Status, out.Bytes, out.Seconds = a.Method, a.URL, a.Status, a.Bytes, a.Total.Seconds()
	}
	if c.Err != nil {
		out.Error = k.secrets.Redact(c.Err.Error())
		return out
	}
	out.Page = &page{Items: c.Items, Array: k.secrets.Redact(c.Field), Detected: c.Detected, First: kind(c.Kind), Looks: []look{}}
	for _, m := range c.Members {
		out.Page.Members = append(out.Page.Members, member{k.secrets.Redact(m.Name), kind(m.Kind)})
	}
	for _, l := range c.Looks {
		out.Page.Looks = append(out.Page.Looks, look{k.secrets.Redact(l.At), shorten(k.secrets.Redact(l.Found), 80)})
	}
	if c.Stop != nil {
		out.Stop = &stopped{c.Stop.Reason, c.Stop.Verdict}
	}
	out.Next = c.NextURL
	for _, text := range c.Warnings {
		out.Warnings = append(out.Warnings, k.secrets.Redact(text))
	}
	return out
}

// show writes what is known of a job for people.
func (k *checker) show(c *checked) error {
	if k.text == nil {
		return nil
	}
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	switch {
	case c.Login:
		until, _ := time.Parse(time.RFC3339, c.Expires) // zero where there is none
		line("%s", view.LoggedIn(until))
	case c.Skipped != "":
		line("%s: %s", c.Job, c.Skipped)
	case c.Error != "":
		line("%s: %s", c.Job, c.Error)
	default:
		line("%s: %d %s in %s, %s", c.Job, c.Status, http.StatusText(c.Status), seconds(c.Seconds), view.Bytes(c.Bytes))
		line("  request   %s %s", c.Method, c.URL)
		c.Page.show(line)
		if c.Stop != nil {
			line("  next      none: ended by %s, %s", c.Stop.Reason, c.Stop.Verdict)
		} else {
			line("  next      %s", c.Next)
		}
		for _, text := range c.Warnings {
			line("  warning   %s", text)
		}
	}
	_, err := io.WriteString(k.text, b.String())
	return err
}

func (p *page) show(line func(string, ...any)) {
	where := "in " + p.Array
	if p.Array == "." {
		where = "in the whole response"
	}
	if p.Detected {
		where += ", detected"
	}
	line("  items     %d, %s", p.Items, where)
	if p.First != "" {
		kinds := make([]string, len(p.Members))
		for i, m := range p.Members {
			kinds[i] = m.Name + " (" + m.Kind + ")"
		}
		line("  first     %s", strings.TrimSuffix(p.First+": "+strings.Join(kinds, ", "), ": "))
	}
	for _, l := range p.Looks {
		line("  looks at  %s: %s", l.At, l.Found)
	}
}

// kind takes the article off a noun: "an object" is object.
func kind(noun string) string {
	if _, bare, found := strings.Cut(noun, " "); found {
		return bare
	}
	return noun
}

// shorten cuts a text that is longer than n characters.
func shorten(text string, n int) string {
	if r := []rune(text); len(r) > n {
		return string(r[:n]) + "…"
	}
	return text
}

// seconds is a time as people read it.
func seconds(s float64) string {
	took := time.Duration(s * float64(time.Second))
	if took > time.Second {
		return took.Round(time.Millisecond).String()
	}
	return took.Round(10 * time.Microsecond).String()
}
