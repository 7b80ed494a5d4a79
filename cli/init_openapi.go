package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"sluice/cli/discover/extend"
	"sluice/cli/discover/openapi"
	"sluice/cli/run"
	"sluice/cli/view"
	"sluice/source/config"
)

// A fromDocument is what the flags of init say about a document of OpenAPI.
type fromDocument struct {
	document, path string
}

func (f *fromDocument) flags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{
			Name:        "from-openapi",
			Destination: &f.document,
			Usage:       "that of an operation in the OpenAPI or Swagger `FILE`, YAML or JSON; nothing is asked of any API",
		},
		&cli.StringFlag{
			Name:        "path",
			Destination: &f.path,
			Usage:       "which operation, for --from-openapi: its `PATH`; without it those that return lists are shown",
		},
	}
}

// stray is an error if something is said about a document, and there is none, or if there are others: the flags of
// another description.
func (f *fromDocument) stray(others, onlyTranslate bool, to initFiles) error {
	switch {
	case f.document == "" && f.path != "":
		return run.Usagef("--path needs --from-openapi FILE")
	case f.document != "" && others:
		return run.Usagef("--from-openapi stands beside --from-curl, --from-har, --from-airbyte or --api: choose one")
	case f.document != "" && onlyTranslate:
		return run.Usagef("--from-openapi sends no request: leave --no-requests out")
	case f.document != "" && f.path == "" && to.into != "":
		return run.Usagef("--into needs --path, which says which operation becomes a job: without both all that return " +
			"lists are shown")
	case f.document != "" && f.path == "" && to.configuration != "-":
		return run.Usagef("--output needs --path, which says of which operation the configuration is: " +
			"without both all that return lists are shown")
	}
	return nil
}

// fromOpenAPI writes the configuration of an operation, adds its job to one, or shows which ones return lists.
func (p *program) fromOpenAPI(ctx context.Context, f *fromDocument, to initFiles) error {
	text, err := p.world.Read(ctx, f.document)
	if err != nil {
		return run.Usagef("--from-openapi: %w", err)
	}
	d, err := openapi.Read(text)
	if err != nil {
		return run.Usagef("%s: %w", f.document, err)
	}
	switch {
	case f.path == "":
		return p.showLists(d, f)
	case to.into != "":
		return p.intoByDocument(ctx, d, f, to.into)
	}
	result, err := d.Convert(f.path)
	if err != nil {
		return run.Usagef("%s: %w", f.document, err)
	}
	if err := isGood(result.Configuration); err != nil {
		return run.Usagef("%s: what %s became is no good configuration, which is a mistake of sluice: %w", f.document, f.path, err)
	}
	if err := writeNew(p.world, "--output", to.configuration, string(result.Configuration)); err != nil {
		return err
	}
	o := describedOperation{Account: result.Account, Missing: result.Missing}
	o.commands(to.configuration, withoutValues(result.Missing, result.Secrets))
	return p.tell(o)
}

// intoByDocument adds the job of an operation to a configuration that is there. Of several servers, and of several ways to
// log in, that of the file is taken.
func (p *program) intoByDocument(ctx context.Context, d *openapi.APIDocument, f *fromDocument, file string) error {
	all, err := d.Alternatives(f.path)
	if err != nil {
		return run.Usagef("%s: %w", f.document, err)
	}
	x, err := openExtension(ctx, p.world, file)
	if err != nil {
		return err
	}
	defer x.to.Close()
	result, added, err := x.firstThatFits(all)
	if err != nil {
		return err
	}
	if err := x.to.Write(ctx, p.world, x.name, x.text, added.Text); err != nil {
		return err
	}
	o := describedOperation{Job: added.Job, Notes: added.Said}
	for _, l := range result.Account[result.OfAPI:] {
		of, _, _ := strings.Cut(l.Text, ": ")
		if !slices.Contains(added.Known, of) {
			o.Account = append(o.Account, l)
		}
	}
	for _, a := range added.Unset {
		if !isSecret(a) {
			o.Missing = append(o.Missing, a.Name)
		}
	}
	o.commands(file, added.Unset)
	return p.tell(o)
}

// firstThatFits adds the first of the jobs that fits the configuration. The error is that of the job which fits best.
func (x *extension) firstThatFits(
	all iter.Seq[openapi.ConvertedOperation],
) (r openapi.ConvertedOperation, added extend.ExtendedConfig, why error) {
	farthest := 0
	for r = range all {
		job := extend.AddedJob{
			Configuration: r.Configuration, Secrets: withoutValues(nil, r.Secrets), IsTried: true, IsDescribed: true,
		}
		var err error
		added, err = x.add(job)
		if err == nil {
			return r, added, nil
		}
		if n := howFar(err); n > farthest {
			farthest, why = n, err
		}
	}
	return r, added, why
}

// howFar is how far a job has come that could not be added: the address comes first, then the login.
func howFar(err error) int {
	var mismatch *extend.MismatchError
	switch {
	case !errors.As(err, &mismatch):
		return 3
	case mismatch.IsLogin:
		return 2
	}
	return 1
}

// tell says what became of an operation.
func (p *program) tell(o describedOperation) error {
	var err error
	if p.format == "json" {
		err = run.WriteJSON(view.Printable(p.world.Stderr), p.secrets, o, "  ")
	} else {
		p.world.Say("%s", o.text())
	}
	unknown := 0
	for _, l := range o.Account {
		if l.Certainty == openapi.Unknown {
			unknown++
		}
	}
	if err == nil && unknown > 0 {
		return unfinished(fmt.Sprintf("%d of %s above is unknown: the document does not say all that the configuration needs",
			unknown, view.Count(len(o.Account), "line")))
	}
	return err
}

// showLists shows the operations that return lists.
func (p *program) showLists(d *openapi.APIDocument, f *fromDocument) error {
	lists, leftOut, err := d.Lists()
	if err != nil {
		return run.Usagef("%s: %w", f.document, err)
	}
	for _, why := range leftOut {
		p.world.Say("left out: %s", view.OneLine(why))
	}
	if p.format == "json" {
		return run.WriteJSON(view.Printable(p.world.Stdout), p.secrets, map[string]any{"lists": lists}, "  ")
	}
	rows := [][]string{{"METHOD", "PATH", "ITEMS", "NEXT PAGE", "SUMMARY"}}
	for _, l := range lists {
		items := cmp.Or(l.DataField, "the answer")
		if l.Unsaid {
			items = "?"
		}
		rows = append(rows, []string{l.Method, l.Path, items, cmp.Or(l.Paging, "-"), l.Summary})
	}
	_, err = io.WriteString(view.Printable(p.world.Stdout), table(rows))
	return err
}

// widest is how many columns of a table a cell takes at most, if others stand behind it.
const widest = 60

// table is rows of cells, those of a column below each other.
func table(rows [][]string) string {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			row[i] = view.OneLine(cell)
			if n := len([]rune(row[i])); n <= widest {
				widths[i] = max(widths[i], n)
			}
		}
	}
	var b strings.Builder
	for _, row := range rows {
		line := ""
		for i, cell := range row {
			line += fmt.Sprintf("%-*s  ", widths[i], cell)
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

// A describedOperation is what became of an operation, as it is shown.
type describedOperation struct {
	Account []openapi.AccountLine `json:"account"`

	// Job is the new one of a configuration that was there, Notes what is other than one may think.
	Job   string   `json:"job,omitempty"`
	Notes []string `json:"notes,omitempty"`

	// Environment are the variables that hold the secrets, by the attributes.
	Environment []unsetVariable `json:"environment,omitempty"`

	// Missing are attributes that have no value yet.
	Missing []string `json:"missing,omitempty"`

	// Check is the command that tries what is not sure, Run the one that runs the configuration.
	Check string `json:"check"`
	Run   string `json:"run"`

	// file is the configuration.
	file string
}

// commands adds the commands that check and run the configuration, and set attributes.
func (o *describedOperation) commands(file string, unset []config.Attribute) {
	flags, environment := settingFlags(unset, nil)
	o.Environment = environment
	words := []string{shellWord(cmp.Or(strings.TrimPrefix(file, "-"), "api.json"))}
	line := strings.Join(append(words, flags...), " ")
	o.Check = "sluice check " + line
	if o.Job != "" {
		o.Check += " --job " + shellWord(o.Job)
	}
	o.Run = "sluice run " + line
	o.file = file
}

// text is the account, and what is left to do.
func (o *describedOperation) text() string {
	var lines []string
	for _, l := range o.Account {
		lines = append(lines, string(l.Certainty)+": "+view.OneLine(l.Text))
	}
	for _, note := range o.Notes {
		lines = append(lines, view.OneLine(note))
	}
	if o.Job != "" {
		lines = append(lines, view.OneLine(o.file+" has the job "+o.Job+" now"))
	}
	if len(o.Environment) > 0 {
		lines = append(lines, unsetVariables(o.Environment))
	}
	lines = append(lines, "nothing has been asked; try it, which fetches the first page and what follows it:",
		"  "+o.Check, "run it so:", "  "+o.Run)
	return strings.Join(lines, "\n")
}
