// Package plan shows the requests that runs would begin with, as curl commands.
// It sends nothing.
package plan

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"sluice/pipeline"
	"sluice/pipeline/item"
	"sluice/pipeline/pattern"
	"sluice/source/config"
	"sluice/source/job"
	"sluice/source/transport/quota"
	"sluice/source/walk"
)

// A Plan is what runs would begin with; secrets, and what a run will know, are
// variables of the shell.
type Plan struct {
	Variables []ShellVariable  `json:"variables"`
	Requests  []PlannedRequest `json:"requests"`
	// Budgets are what the requests cost of what the API allows.
	Budgets []PlannedBudget `json:"budgets,omitempty"`

	// known has secrets of the configuration, and without a Name what functions
	// made of them.
	known map[string]ShellVariable
	// notes are for every request.
	notes []string
	// hidden is what placeholders stand for; Name is what the variable
	// would be called.
	hidden []ShellVariable
}

// A ShellVariable stands for a text in a command, exactly as it goes there.
type ShellVariable struct {
	Name string `json:"name"`
	// From is where it stands or comes from, and how it is encoded.
	From string `json:"from"`

	// text is the same for the same text.
	text string
	// bare tells that nothing of it is encoded: it is a number in JSON, or
	// taken as it stands.
	bare bool
	// typed tells that it may be no text: alone in JSON it has its own quotes, or none.
	typed bool
}

// A PlannedRequest is one that a run would send.
type PlannedRequest struct {
	Job string `json:"job"`
	// Above is the id of the job whose items it is for.
	Above string `json:"above,omitempty"`
	// Login tells that it is the login request, and Job the first that needs it.
	Login  bool   `json:"login,omitempty"`
	Method string `json:"method"`
	URL    string `json:"url"`
	// Command is one of the shell, with curl.
	Command string   `json:"command"`
	Notes   []string `json:"notes,omitempty"`
}

// A PlannedBudget is a rate of the configuration, and what the planned requests cost of it.
type PlannedBudget struct {
	Rate string `json:"rate"`
	// For is the pattern of the endpoints that count; empty: all.
	For string `json:"for,omitempty"`
	// Each is what one request costs, and Cost what those of the plan cost, of Limit.
	Each  int `json:"each"`
	Cost  int `json:"cost"`
	Limit int `json:"limit"`
}

// spend adds what a request to u costs of each rule.
func (p *Plan) spend(rules *quota.Rules, u *url.URL) {
	at := 0
	rules.Costs(u, func(rule quota.Rule, counts bool) {
		if at == len(p.Budgets) {
			p.Budgets = append(p.Budgets, PlannedBudget{Rate: rule.Text, For: rule.For, Each: rule.Cost, Limit: rule.Limit})
		}
		if counts {
			p.Budgets[at].Cost += rule.Cost
		}
		at++
	})
}

// Learn prepares for a document that is about to be compiled.
func (p *Plan) Learn(d *config.Document) {
	if p.known == nil {
		p.Variables, p.known = []ShellVariable{}, map[string]ShellVariable{}
	}
	for text, path := range d.Secrets() {
		name := path[strings.LastIndexByte(path, '.')+1:]
		p.known[text] = ShellVariable{Name: name, From: path}
	}
	p.notes = nil
	if d.ClientCertificate != nil {
		note := "a client certificate is shown to the API: add --cert and --key"
		p.notes = append(p.notes, note)
	}
	if d.CACertificate != nil {
		note := "the API's certificate is checked with api.caCertificate: add --cacert"
		p.notes = append(p.notes, note)
	}
}

// Made learns that a function made a text of secrets.
func (p *Plan) Made(function, text string) {
	if p.known[text].Name == "" {
		from := ", which the function " + function + " makes of secrets"
		p.known[text] = ShellVariable{From: from}
	}
}

// placeholders matches what stands for a hidden text in a request. Every encoding
// leaves it as it is.
var placeholders = pattern.Lazy(`qzx(\d+)xzq`)

// placeholder returns what stands for v: the same for the same v, so functions make
// the same of it.
func (p *Plan) placeholder(v ShellVariable) string {
	i := slices.Index(p.hidden, v)
	if i < 0 {
		i = len(p.hidden)
		p.hidden = append(p.hidden, v)
	}
	return fmt.Sprintf("qzx%dxzq", i)
}

// unknown returns a placeholder for what only the run will know.
func (p *Plan) unknown(name, from string, bare bool) string {
	text := "unknown " + from
	return p.placeholder(ShellVariable{Name: name, From: from, text: text, bare: bare})
}

func (p *Plan) hide(text, name, place string, bare bool) string {
	if text == "" || placeholders().FindString(text) == text {
		return text
	}
	if known := p.known[text]; known.Name != "" {
		name, place = known.Name, known.From
	} else {
		place += known.From
	}
	return p.placeholder(ShellVariable{Name: name, From: place, text: text, bare: bare})
}

// scheme is the part of a header Authorization that is no secret.
var scheme = pattern.Lazy(`^(?i:Basic|Bearer|Token) `)

func (p *Plan) header(name, text string) string {
	kind, place := "", "the header "+name
	authorizes := strings.Contains(strings.ToLower(name), "authorization")
	if authorizes && p.known[text].Name == "" {
		kind = scheme().FindString(text)
	}
	if strings.EqualFold(kind, "Basic ") {
		place += ": USER:PASSWORD in base64"
	}
	return kind + p.hide(text[len(kind):], name, place, false)
}

// scalar matches a text or number in compact JSON, and the name of a member
// with its colon.
var scalar = pattern.Lazy(`"(?:[^"\\]|\\.)*":?|-?[0-9][-+.0-9eE]*`)

// value hides the texts and numbers in a value: all, or those that the plan knows.
func (p *Plan) value(value []byte, name string, all bool) []byte {
	return scalar().ReplaceAllFunc(value, func(found []byte) []byte {
		if found[len(found)-1] == ':' {
			return found
		}
		text, _ := item.Text(found)
		if !all && p.known[text].From == "" {
			return found
		}
		if found[0] == '"' {
			return item.Quote(p.hide(text, name, "the parameter "+name, false))
		}
		return []byte(p.hide(text, name, "the parameter "+name, true))
	})
}

// How a text is encoded, as a variable says it.
const (
	inURL  = ", URL-encoded"
	inJSON = ", escaped for JSON"
	// inItself is JSON of any kind.
	inItself = ", as JSON: a text in its quotes"
)

// variable returns the name of the variable for a hidden text, where
// texts are encoded.
func (p *Plan) variable(v ShellVariable, encoding string) string {
	if !v.bare {
		v.From, v.text = v.From+encoding, v.text+encoding
	}
	for _, have := range p.Variables {
		if have.text == v.text {
			return have.Name
		}
	}
	v.Name = p.free(v.Name)
	p.Variables = append(p.Variables, v)
	return v.Name
}

// taken are names that mean something to the shell or to programs that it starts.
var taken = strings.Fields("CDPATH COLUMNS DISPLAY EDITOR ENV EUID HOME HOST HOSTNAME " +
	"IFS LANG LINES LOGNAME MAIL OPTARG OPTIND PATH PPID PWD RANDOM SECONDS SHELL " +
	"TERM TZ UID USER USERNAME")

// free returns a name for a variable that looks like name and that none has yet.
func (p *Plan) free(name string) string {
	base := strings.ToUpper(strings.ReplaceAll(pipeline.FileName(name), "-", "_"))
	beginsWithDigit := base[0] <= '9'
	if beginsWithDigit || slices.Contains(taken, base) {
		base = "API_" + base
	}
	free := base
	isTaken := func(v ShellVariable) bool { return v.Name == free }
	for k := 2; slices.ContainsFunc(p.Variables, isTaken); k++ {
		free = fmt.Sprintf("%s_%d", base, k)
	}
	return free
}

// planner adds the requests of one document to a plan.
type planner struct {
	*Plan
	run       *walk.Run
	api       *job.API
	userAgent string
	loggedIn  bool
}
