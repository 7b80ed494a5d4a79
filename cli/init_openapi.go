package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"sluice/cli/discover/openapi"
	"sluice/cli/run"
	"sluice/cli/view"
	"sluice/pipeline/report"
)

// errNotAllKnown ends an init whose account has said what is not known.
var errNotAllKnown = fmt.Errorf("%w: the document does not say all that the configuration needs", report.ErrNotComplete)

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
func (f *fromDocument) stray(others, onlyTranslate bool, file string) error {
	switch {
	case f.document == "" && f.path != "":
		return run.Usagef("--path needs --from-openapi FILE")
	case f.document != "" && others:
		return run.Usagef("--from-openapi stands beside --from-curl, --from-har, --from-airbyte or --api: choose one")
	case f.document != "" && onlyTranslate:
		return run.Usagef("--from-openapi sends no request: leave --no-requests out")
	case f.document != "" && f.path == "" && file != "-":
		return run.Usagef("--output needs --path, which says of which operation the configuration is: " +
			"without both all that return lists are shown")
	}
	return nil
}

// fromOpenAPI writes the configuration of an operation, or shows which ones return lists.
func (p *program) fromOpenAPI(ctx context.Context, f *fromDocument, file string) error {
	text, err := p.world.Read(ctx, f.document)
	if err != nil {
		return run.Usagef("--from-openapi: %w", err)
	}
	d, err := openapi.Read(text)
	if err != nil {
		return run.Usagef("%s: %w", f.document, err)
	}
	if f.path == "" {
		return p.showLists(d, f)
	}
	result, err := d.Convert(f.path)
	if err != nil {
		return run.Usagef("%s: %w", f.document, err)
	}
	if err := isGood(result.Configuration); err != nil {
		return run.Usagef("%s: what %s became is no good configuration, which is a mistake of sluice: %w", f.document, f.path, err)
	}
	if err := writeNew(p.world, "--output", file, string(result.Configuration)); err != nil {
		return err
	}
	o := describedOperation{Account: result.Account, Missing: result.Missing}
	o.commands(result, file)
	if p.format == "json" {
		err = run.WriteJSON(view.Printable(p.world.Stderr), p.secrets, o, "  ")
	} else {
		p.world.Say("%s", o.text())
	}
	isLess := slices.ContainsFunc(o.Account, func(l openapi.Line) bool { return l.Certainty == openapi.Unknown })
	if err == nil && isLess {
		return errNotAllKnown
	}
	return err
}

// showLists shows the operations that return lists.
func (p *program) showLists(d *openapi.Document, f *fromDocument) error {
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
	Account []openapi.Line `json:"account"`

	// Environment are the variables that hold the secrets, by the attributes.
	Environment []variable `json:"environment,omitempty"`

	// Missing are attributes that have no value yet.
	Missing []string `json:"missing,omitempty"`

	// Check is the command that tries what is not sure, Run the one that runs the configuration.
	Check string `json:"check"`
	Run   string `json:"run"`
}

// commands adds the commands that check and run the configuration.
func (o *describedOperation) commands(r openapi.Result, file string) {
	words := []string{cmp.Or(strings.TrimPrefix(file, "-"), "api.json")}
	flags, environment := settingFlags(r.Missing, r.Secrets)
	o.Environment = environment
	words = append(words, flags...)
	o.Check = "sluice check " + strings.Join(words, " ")
	o.Run = "sluice run " + strings.Join(words, " ")
}

// text is the account, and what is left to do.
func (o *describedOperation) text() string {
	var lines []string
	for _, l := range o.Account {
		lines = append(lines, string(l.Certainty)+": "+view.OneLine(l.Text))
	}
	if len(o.Environment) > 0 {
		lines = append(lines, unsetVariables(o.Environment))
	}
	lines = append(lines, "nothing has been asked; try it, which fetches the first page and what follows it:",
		"  "+o.Check, "run it so:", "  "+o.Run)
	return strings.Join(lines, "\n")
}
