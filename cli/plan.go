package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"sluice/pipeline/secret"
	"sluice/source"
	"sluice/source/config"
)

func planCommand(w *world, secrets *secret.Set) *cli.Command {
	var format string
	var set attributes
	o := source.Options{Secrets: secrets, Now: w.now, UserAgent: "sluice/" + version}
	return &cli.Command{
		Name: "plan", ArgsUsage: "CONFIG [flags]",
		Usage: "show the login and the first request of each job as curl commands; send nothing",
		Description: `Secrets are variables of the shell: set them, and the commands work.
As JSON: {variables, requests}, of each request job, method, url and command.`,
		UsageText: `  sluice plan api.json
  sluice plan api.json --job users --format json | jq -r '.requests[].url'`,
		Flags: append([]cli.Flag{jobFlag(&o), formatFlag(&format, "text"), stateFlag(&o, nil)}, set.flags()...),
		Action: withOne("configuration", func(_ context.Context, name string) error {
			p, err := makePlan(w, name, &set, o)
			if err != nil {
				return err
			}
			if format == "text" {
				return p.write(w.stdout)
			}
			for i, r := range p.Requests {
				if needsFunction(r.Command) {
					p.Requests[i].Command = escapeFunction + "\n" + r.Command
				}
			}
			return writeJSON(w.stdout, secrets, p)
		}),
	}
}

// plannedRun is what plan shows.
type plannedRun struct {
	Variables []*variable      `json:"variables"`
	Requests  []plannedRequest `json:"requests"`
}

// plannedRequest is one command of a plan.
type plannedRequest struct {
	Job     string   `json:"job"`
	Above   string   `json:"above,omitempty"`
	Login   bool     `json:"login,omitempty"`
	Method  string   `json:"method"`
	URL     string   `json:"url"`
	Command string   `json:"command"`
	Notes   []string `json:"notes,omitempty"`
}

// makePlan plans the configuration name. It is compiled twice: as it is,
// so that its mistakes and its secrets are known, and with stand-ins for them.
func makePlan(w *world, name string, set *attributes, o source.Options) (*plannedRun, error) {
	var p config.Problems
	roots, err := loadNodes(w, name, set, &p)
	if err != nil {
		return nil, err
	}
	for _, root := range roots {
		src := source.New([]*config.Document{config.Decode(root, o.Secrets, &p)}, o, &p)
		if p.Err() == nil {
			_, err = src.Plan(unmasked) // makes literal secrets known
		}
	}
	if err := p.Err(); err != nil {
		return nil, err
	}
	if err != nil {
		return nil, &usageError{err}
	}
	all := &plannedRun{Requests: []plannedRequest{}}
	m := &masks{secrets: o.Secrets}
	o.Call = m.call
	for _, root := range roots {
		if err := all.add(config.Mask(root, m.attribute), o, m); err != nil {
			return nil, err
		}
	}
	all.Variables = m.used(all.Requests)
	return all, nil
}

// unmasked shows all as it is.
func unmasked(v source.Value) string {
	if v.Text == "" && v.Place >= source.Response {
		return (&masks{}).add(mask{})
	}
	return v.Text
}

// add plans one document, in which stand-ins are.
func (p *plannedRun) add(root *config.Node, o source.Options, m *masks) error {
	var problems config.Problems
	o.Secrets = &secret.Set{} // stand-ins are none
	doc := config.Decode(root, o.Secrets, &problems)
	var notes []string
	if doc.ClientCertificate != nil {
		notes = append(notes, "a client certificate is shown to the API: add --cert and --key")
	}
	if doc.CACertificate != nil {
		notes = append(notes, "the API's certificate is checked with api.caCertificate: add --cacert")
	}
	doc.ClientCertificate, doc.CACertificate = nil, nil
	src := source.New([]*config.Document{doc}, o, &problems)
	if err := problems.Err(); err != nil {
		return usagef("the plan depends on the value of a secret and cannot be shown:\n%w", err)
	}
	requests, err := src.Plan(m.show)
	if err != nil {
		return &usageError{err}
	}
	for _, v := range m.variables {
		if format := doc.Authentication.Member("format"); v.Path != "" && (format == nil || format.Text() != "text") {
			v.Filter = "jq -r " + single(jqPath(v.Path))
		}
	}
	for _, r := range requests {
		command, err := m.curl(r)
		if err != nil {
			return &usageError{err}
		}
		planned := plannedRequest{Job: r.Job, Above: r.Above, Login: r.Login, Method: r.Request.Method, Command: command, Notes: notes}
		same := func(text string) string { return text }
		planned.URL = m.fill(r.Request.URL.String(), false, same, same)
		if r.Unsigned {
			planned.Notes = append(planned.Notes[:len(planned.Notes):len(planned.Notes)], "a run signs this request when it is finished: the signature is missing here")
		}
		p.Requests = append(p.Requests, planned)
	}
	return nil
}

// used returns the variables that the commands have, in the order of their making.
func (m *masks) used(requests []plannedRequest) []*variable {
	all := []*variable{}
	for _, v := range m.variables {
		if slices.ContainsFunc(requests, v.in) {
			all = append(all, v)
		}
	}
	return all
}

// in tells whether the command of a request has the variable.
func (v *variable) in(r plannedRequest) bool {
	return regexp.MustCompile(`\$\{?` + v.Name + `\b`).MatchString(r.Command)
}

// write shows the plan as a script with comments.
func (p *plannedRun) write(w io.Writer) error {
	var b strings.Builder
	first := true
	for _, v := range p.Variables {
		if v.Path != "" || v.item {
			continue
		}
		if first {
			b.WriteString("# To be set first:\n")
			first = false
		}
		fmt.Fprintf(&b, "#   %s  %s\n", v.Name, v.From)
	}
	if slices.ContainsFunc(p.Requests, func(r plannedRequest) bool { return needsFunction(r.Command) }) {
		b.WriteString(escapeFunction + "\n")
	}
	for _, r := range p.Requests {
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString("# " + r.title() + "\n")
		for _, note := range r.Notes {
			b.WriteString("# " + note + "\n")
		}
		for _, v := range p.Variables {
			if r.Login && v.Path != "" {
				fmt.Fprintf(&b, "# %s is %s%s\n", v.Name, v.From, v.how())
			}
			if r.Above != "" && v.item && v.in(r) {
				fmt.Fprintf(&b, "# %s is %s\n", v.Name, v.From)
			}
		}
		b.WriteString(r.Command + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func needsFunction(command string) bool { return strings.Contains(command, `$(json "$`) }

// how says how a value of the login response is got.
func (v *variable) how() string {
	if v.Filter == "" {
		return ": the answer as it is"
	}
	return ": pipe the answer into " + v.Filter
}

func (r *plannedRequest) title() string {
	switch {
	case r.Login:
		return "the login request"
	case r.Above != "":
		return "job " + r.Job + ", the first request for an item of " + r.Above
	}
	return "job " + r.Job
}

// jqPath is a path as jq writes it.
func jqPath(path string) string {
	var b strings.Builder
	for step := range strings.SplitSeq(path, ".") {
		switch _, err := strconv.ParseUint(step, 10, 31); {
		case err == nil && b.Len() == 0:
			b.WriteString(".[" + step + "]")
		case err == nil:
			b.WriteString("[" + step + "]")
		case regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`).MatchString(step):
			b.WriteString("." + step)
		default:
			text, _ := json.Marshal(step) // a string cannot fail
			b.WriteString("." + string(text))
		}
	}
	return b.String()
}
