package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"sluice/cli/run"
	"sluice/cli/view"
	"sluice/pipeline"
	"sluice/pipeline/report"
	"sluice/pipeline/secret"
	"sluice/source"
	"sluice/source/check"
	"sluice/source/config"
)

func checkCommand(p *program) *cli.Command {
	return &cli.Command{
		Name: "check", ArgsUsage: "CONFIG [flags]",
		Usage: "log in, and show what the first pages hold",
		Description: `Shows for each job: status and time; where the items are, how many, and the members
of the first one; what decides whether there is a next page; and what the answer says
about more. If there is more, or may be, at most four more requests try to find the
next page. They are shown, with the pagination that works. Ends with 3 where
run --strict would. It logs in as a run does: a token that can be used only once is
used up. The output says so, and --tokens keeps the next one.
As JSON: an array of what was requested, in order. A login is {login, expires}. A job
is {job, status, seconds, bytes, page: {items, array, members, evidence, verdict, …},
next or stop, warnings, tries, pagination, sure, error}.`,
		UsageText: `  sluice check api.json
  sluice check api.json --job users --format json | jq '.[] | select(.page) | {job, items: .page.items}'`,
		Flags: slices.Concat(
			[]cli.Flag{p.jobFlag(), p.formatFlag("text")},
			p.logFlags("warn"),
			[]cli.Flag{p.stateFlag(), p.tokensFlag()},
			p.attributeFlags(),
		),
		Action: withOne("configuration", func(ctx context.Context, name string) error {
			k := &checkView{secrets: p.secrets}
			log := p.options.Shown.Log(p.world.Stderr, slog.LevelWarn, p.secrets)
			tokens, err := run.OpenTokens(ctx, p.world, p.secrets, p.options)
			if err != nil {
				return err
			}
			defer tokens.Close()
			looking := run.LookOptions{Observer: pipeline.Observers{k, log}, Asks: true, Tokens: tokens}
			var problems config.Problems
			src, err := p.look(ctx, name, looking, &problems)
			if err != nil {
				return err
			}
			if _, err := p.world.Stdout.Write(nil); err != nil {
				return err
			}
			for _, problem := range problems.All() {
				text := p.secrets.Redact(problem.String())
				looking.Observer.Observe(pipeline.Warned{Text: text, At: p.world.Now()})
			}
			if p.format == "text" {
				k.text = view.Printable(p.world.Stdout)
			}
			err = k.check(ctx, src)
			if p.format == "json" {
				if err := p.print(k.all); err != nil {
					return err
				}
			}
			return err
		}),
	}
}

// checkView shows what first pages hold.
type checkView struct {
	secrets *secret.Set

	// nil: collect only.
	text io.Writer

	all []check.JobResult

	// What was tried for the second page was told before.
	triesTold bool

	// The last one.
	answer pipeline.ResponseDone
}

func (k *checkView) Observe(e pipeline.Event) {
	switch e := e.(type) {
	case pipeline.ResponseDone:
		// Those of tries come after the one that counts.
		if e.Page < 2 {
			k.answer = e
		}
	case pipeline.LoggedIn:
		c := check.JobResult{About: check.About{Login: true, Job: e.Job}}
		if !e.Expires.IsZero() {
			c.Expires = e.Expires.UTC().Format(time.RFC3339)
		}
		c.Kept = e.Kept
		k.all = append(k.all, c)
	}
}

// check looks at the jobs. The error says how many failed, else of how many the data would not be complete.
func (k *checkView) check(ctx context.Context, src *source.Source) error {
	var n jobTally
	shown := 0
	err := src.Check(ctx, false, func(c check.JobResult) error {
		n.count(&c)
		a := k.answer
		if a.Job == c.Job && !a.Login() && c.Skipped == "" {
			c.Method, c.URL, c.Status = a.Method, a.URL, a.Status
			c.Bytes, c.Seconds = a.Bytes, a.Total.Seconds()
		}
		k.all = append(k.all, c)
		for ; shown < len(k.all); shown++ {
			if n.tells(&k.all[shown]) {
				continue
			}
			if err := k.show(&k.all[shown]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		err = run.Cause(ctx, err)
		k.all = append(
			k.all,
			check.JobResult{About: check.About{Login: ctx.Err() == nil}, Error: pipeline.Brief(k.secrets.Redact(err.Error()))},
		)
		return err
	}
	return n.err()
}

// A jobTally counts jobs.
type jobTally struct {
	jobs, failed, unasked, doubtful int

	// first is the error of the first that failed.
	first error
}

func (n *jobTally) count(c *check.JobResult) {
	n.jobs++
	switch {
	case errors.Is(c.Err, check.ErrUnasked):
		n.unasked++
	case c.Err != nil:
		n.failed++
		n.first = cmp.Or(n.first, c.Err)
	}
	if c.Page != nil && c.Page.Verdict != report.Complete {
		n.doubtful++
	}
}

// tells says whether err tells of a result all that there is to tell: that nobody is there, and of whom else that was
// wanted.
func (n *jobTally) tells(c *check.JobResult) bool {
	return c.Unreached && errors.Is(c.Err, n.first) || errors.Is(c.Err, check.ErrUnasked)
}

func (n *jobTally) err() error {
	all := view.Count(n.jobs, "job")
	switch {
	case n.unasked > 0:
		return fmt.Errorf(
			"%d of %s failed, the first with: %w; not requested for that reason: %s",
			n.failed,
			all,
			n.first,
			view.Count(n.unasked, "more job"),
		)
	case n.failed > 0:
		return fmt.Errorf("%d of %s failed, the first with: %w", n.failed, all, n.first)
	case n.doubtful > 0:
		return fmt.Errorf("%w: %d of %s, see the warnings", report.ErrNotComplete, n.doubtful, all)
	}
	return nil
}

func (k *checkView) show(c *check.JobResult) error {
	if k.text == nil {
		return nil
	}
	var b strings.Builder
	line := func(format string, args ...any) {
		b.WriteString(view.OneLine(pipeline.Brief(fmt.Sprintf(format, args...))) + "\n")
	}
	switch {
	case c.Login:
		// Zero where there is none.
		until, _ := time.Parse(time.RFC3339, c.Expires)
		line("%s", view.LoggedIn(until))
		if len(c.Kept) > 0 {
			line(
				"  used up   %s: if it can be used only once, only the one that this login gave is good now",
				strings.Join(c.Kept, ", "),
			)
		}
	case c.Skipped != "":
		line("%s: %s", c.Job, c.Skipped)
	case c.Error != "":
		line("%s: %s", c.Job, c.Error)
		showNothing(c.Nothing, line)
	default:
		line(
			"%s: %d %s in %s, %s",
			c.Job,
			c.Status,
			http.StatusText(c.Status),
			view.Rounded(time.Duration(c.Seconds*float64(time.Second))),
			view.Bytes(c.Bytes),
		)
		line("  request   %s %s", c.Method, c.URL)
		showPage(c.Page, line)
		if c.Stop != nil {
			line("  next      none: ended by %s, %s%s", c.Stop.Reason, c.Stop.Verdict, view.RestsOn(*c.Stop))
			if text := proves(*c.Stop); text != "" {
				line("  proof     %s", text)
			}
		} else {
			line("  next      %s", c.Next)
		}
		for _, text := range c.Warnings {
			line("  warning   %s", text)
		}
		showOverlap(c.Overlap, line)
		if !k.triesTold {
			showTries(c.Tries, line)
		}
		if c.Pagination != nil {
			line(`  suggests  "pagination": %s`, c.Pagination)
			line("  %s", certainty(&c.Suggestion))
		}
		showNewest(c.Newest, line)
	}
	_, err := io.WriteString(k.text, b.String())
	return err
}

// proves says what makes an end that is only assumed a proven one; empty: it is one already, or is doubted.
func proves(s report.Stop) string {
	switch {
	case s.Verdict != report.Complete || s.Ground.Rule().Class != report.Assumed:
		return ""
	case s.Ground == report.GroundAlone:
		return "nothing proves the end: if one page is all there is, say so with \"pagination\": {\"method\": \"none\"}"
	}
	return "nothing proves the end: run --proof asks for what comes after it"
}

// showTries says what was sent to try paginations, and what came of it.
func showTries(all []check.Try, line func(string, ...any)) {
	for _, t := range all {
		for _, r := range t.Requests {
			line("  tried     %s", r)
		}
		if t.Against != "" {
			line("  not       %s: %s", t.Pagination, t.Against)
		}
	}
}

// showOverlap says whether pages may overlap, if that was tried.
func showOverlap(o *check.TriedOverlap, line func(string, ...any)) {
	if o == nil {
		return
	}
	line("  tried     %s", o.Request)
	if o.Holds {
		line(
			"  overlap   is possible: the page begins with the last item of the first; for a list that changes " +
				"while it is read see overlap in docs/paging.md",
		)
		return
	}
	line("  overlap   is not possible: %s", o.Against)
}

// showNewest proposes until for a list whose newest items come first.
func showNewest(n *check.Newest, line func(string, ...any)) {
	if n == nil {
		return
	}
	line(`  suggests  "until": %s, to ask only for what is new, with --state`, n.Until)
	what := "; what changes later is not found by it"
	if n.Changes {
		what = ""
	}
	line("  guessed   the newest items come first: %s falls on this page, from %s to %s%s", n.Field, n.First, n.Last, what)
}

// showNothing proposes emptyOn for answers that may say that there is nothing.
func showNothing(n *check.Nothing, line func(string, ...any)) {
	if n == nil {
		return
	}
	line(`  suggests  "emptyOn": %s, if such an answer says that there is nothing`, n.EmptyOn)
	if n.Good {
		line("  likely    for another item of the job above, the answer is not an error")
		return
	}
	line(
		"  guessed   %s asked for, and each answer is an error: the credentials may lack the permission to see them",
		view.Count(n.Asked, "item"),
	)
}

// certainty says how certain a suggestion is.
func certainty(s *check.Suggestion) string {
	last := s.Tries[len(s.Tries)-1]
	others := view.Count(last.Others, "item")
	if s.Sure {
		return "sure      the second page was fetched with it: " + others + ", none of them on the first page"
	}
	text := "likely    the second page was fetched with it: " + others + " that are not on the first page, and " +
		"others that are"
	if last.FromOne != "" {
		text += "; it begins with the last item of the first: " +
			"if items are counted from 1, put " + last.FromOne + " with 1 into params, and check again"
	}
	return text
}

// namingOf says what is to be done about names that are not known.
func namingOf(p *check.FirstPage) string {
	if strings.Contains(string(p.DataField), `"column1"`) {
		return ": replace column1 and the others by what their values are"
	}
	return ""
}

func showPage(p *check.FirstPage, line func(string, ...any)) {
	where := "in " + p.Array
	if p.Array == "." {
		where = "in the whole response"
	}
	if p.Detected {
		where += ", detected"
	}
	if p.Filtered > 0 {
		where += fmt.Sprintf("; where leaves out %d", p.Filtered)
	}
	if p.Cut > 0 {
		where += fmt.Sprintf("; until leaves out %d", p.Cut)
	}
	line("  items     %d, %s", p.Items, where)
	if p.First != "" {
		kinds := make([]string, len(p.Members))
		for i, m := range p.Members {
			kinds[i] = m.Name + " (" + m.Kind + ")"
		}
		line("  first     %s", strings.TrimSuffix(p.First+": "+strings.Join(kinds, ", "), ": "))
	}
	if p.DataField != nil {
		line(`  suggests  "dataField": %s`, p.DataField)
		line("  likely    the items are rows without names" + namingOf(p))
	}
	for _, l := range p.Looks {
		line("  looks at  %s: %s", l.At, l.Found)
	}
	for _, e := range p.Evidence {
		used := ""
		if e.Used {
			used = ", which the pagination reads"
		}
		line("  says      %s: %s is %s%s", e.Kind, e.At, e.Value, used)
	}
}
