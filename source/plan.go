package source

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sluice/pipeline/item"
	"sluice/pipeline/secret"
	"sluice/source/config"
	"sluice/source/request"
)

// A Plan is what runs would begin with; secrets, and what a run will know, are variables of the shell.
type Plan struct {
	Variables []Variable `json:"variables"`
	Requests  []Planned  `json:"requests"`

	known  map[string]Variable // secrets of the configuration, and without a Name what functions made of them
	notes  []string            // for every request
	hidden []Variable          // what placeholders stand for; Name is what the variable would be called
}

// A Variable stands for a text in a command, exactly as it goes there.
type Variable struct {
	Name string `json:"name"`
	From string `json:"from"` // where it stands or comes from, and how it is encoded

	text string // the same for the same text
	bare bool   // nothing of it is encoded: it is a number in JSON, or taken as it stands
}

// Planned is a request that a run would send.
type Planned struct {
	Job     string   `json:"job"`
	Above   string   `json:"above,omitempty"` // id of the job whose items it is for
	Login   bool     `json:"login,omitempty"` // it is the login request, and Job the first that needs it
	Method  string   `json:"method"`
	URL     string   `json:"url"`
	Command string   `json:"command"` // of the shell, with curl
	Notes   []string `json:"notes,omitempty"`
}

// placeholders matches what stands for a hidden text in a request. Every encoding leaves it as it is.
var placeholders = regexp.MustCompile(`qzx(\d+)xzq`)

// placeholder returns what stands for v: the same for the same v, so functions make the same of it.
func (p *Plan) placeholder(v Variable) string {
	i := slices.Index(p.hidden, v)
	if i < 0 {
		i = len(p.hidden)
		p.hidden = append(p.hidden, v)
	}
	return fmt.Sprintf("qzx%dxzq", i)
}

// unknown returns a placeholder for what only the run will know.
func (p *Plan) unknown(name, from string, bare bool) string {
	return p.placeholder(Variable{Name: name, From: from, text: "unknown " + from, bare: bare})
}

func (p *Plan) hide(text, name, place string, bare bool) string {
	if text == "" || placeholders.FindString(text) == text {
		return text
	}
	if known := p.known[text]; known.Name != "" {
		name, place = known.Name, known.From
	} else {
		place += known.From
	}
	return p.placeholder(Variable{name, place, text, bare})
}

// made learns that a function made a text of secrets.
func (p *Plan) made(function, text string) {
	if p.known[text].Name == "" {
		p.known[text] = Variable{From: ", which the function " + function + " makes of secrets"}
	}
}

// learn prepares for a document that is about to be compiled.
func (p *Plan) learn(d *config.Document) {
	if p.known == nil {
		p.Variables, p.known = []Variable{}, map[string]Variable{}
	}
	for text, path := range d.Secrets() {
		p.known[text] = Variable{Name: path[strings.LastIndexByte(path, '.')+1:], From: path}
	}
	p.notes = nil
	if d.ClientCertificate != nil {
		p.notes = append(p.notes, "a client certificate is shown to the API: add --cert and --key")
	}
	if d.CACertificate != nil {
		p.notes = append(p.notes, "the API's certificate is checked with api.caCertificate: add --cacert")
	}
}

// Plan adds the requests that a run would begin with to Options.Plan. None is sent.
func (s *Source) Plan() error {
	for _, it := range s.iterations {
		loggedIn := false
		for _, j := range it.jobs {
			if j.windows == nil {
				continue
			}
			if err := it.plan(j, nil, ancestors{}, &loggedIn); err != nil {
				return err
			}
		}
	}
	return nil
}

// plan plans the first request of the job, and of those below it.
func (it *iteration) plan(j *job, c *child, above ancestors, loggedIn *bool) error {
	w, err := it.newWalk(j, c, above, &j.windows[0])
	if err != nil {
		return err
	}
	r, err := w.request(w.first)
	if err != nil {
		return err
	}
	r = r.Clone()
	planned := Planned{Job: j.id, Notes: slices.Clone(it.o.Plan.notes)}
	if j.parent != nil {
		planned.Above = j.parent.id
	}
	if j.every > 0 {
		planned.Notes = append(planned.Notes, "a run asks again "+j.again()+", while what comes is not ready")
	}
	if n := len(j.windows); j.windowed && n > 0 {
		planned.Notes = append(planned.Notes, fmt.Sprintf("the first of %d windows; the last is the %s", n, j.windows[n-1].name()))
	}
	shared := r.Header.Clone()
	if signer := it.signerOf(r); signer != nil {
		if err := it.planSigner(signer, r, loggedIn); err != nil {
			return err
		}
		if signer.Finish != nil {
			r.Header.Del("Authorization") // the signature takes its place
			planned.Notes = append(planned.Notes, "a run signs this request when it is finished: the signature is missing here")
		}
	}
	if err := it.planRequest(planned, r, shared); err != nil {
		return err
	}
	for _, c := range j.children {
		below := ancestors{Item: append([]int{1}, above.Item...)}
		leads, _ := c.begins(strings.TrimSpace(c.job.endpoint))
		for i, ph := range c.placeholders {
			if ph.above > 0 {
				below.Values = append(below.Values, above.Values[ph.above-1])
				continue
			}
			from := "at " + ph.path + " in an item of " + j.up(ph.level-1).id
			if ph.value != nil {
				from = "what the function of the placeholder " + ph.name + " makes of the value " + from
			}
			bare := ph.escaped
			if leads == i {
				from, bare = from+", URL-encoded, or an address relative to api.baseUrl", true
			}
			below.Values = append(below.Values, item.Quote(it.o.Plan.unknown("parent_"+ph.path, from, bare)))
		}
		if err := it.plan(c.job, c, below, loggedIn); err != nil {
			return err
		}
	}
	return nil
}

// planSigner signs r, and plans the login request if r is the first that needs one.
func (it *iteration) planSigner(signer *request.Signer, r *request.Request, loggedIn *bool) error {
	switch {
	case signer.Plan != nil:
		first, shared, err := signer.Plan(r, it.o.Plan.unknown, it.o.Plan.made)
		if err != nil || *loggedIn {
			return err
		}
		*loggedIn = true
		return it.planRequest(Planned{Job: r.Job, Login: true, Notes: it.o.Plan.notes}, first, shared)
	case signer.Apply != nil:
		return signer.Apply(context.Background(), r)
	}
	return nil
}

// planRequest adds r to the plan; of its headers those that are not shared are of the authentication.
func (it *iteration) planRequest(planned Planned, r *request.Request, shared http.Header) error {
	p := it.o.Plan
	r = r.Clone()
	for name, values := range r.Header {
		own := shared.Get(name) != values[0] && !(planned.Login && secret.HarmlessHeader(name))
		if own || secret.Name(name) || p.known[values[0]].From != "" {
			values[0] = p.header(name, values[0])
		}
	}
	for k, params := range []request.Params{r.Endpoint, r.Params, r.Login} {
		ofJob := k == 1 && !planned.Login // not all in a secret object is secret
		for i, q := range params {
			if _, isScalar := item.Text(q.Value); q.Secret {
				params[i].Value = p.value(q.Value, q.Name, isScalar || !ofJob)
			}
		}
	}
	h, err := r.HTTP(context.Background())
	if err != nil {
		return request.PlainError(err)
	}
	for name, value := range map[string]string{"Accept": "application/json", "User-Agent": it.o.UserAgent} {
		if h.Header.Get(name) == "" {
			h.Header.Set(name, value)
		}
	}
	if err := it.curl(&planned, h, r.Method); err != nil {
		return err
	}
	p.Requests = append(p.Requests, planned)
	return nil
}

// scheme is the part of a header Authorization that is no secret.
var scheme = regexp.MustCompile(`^(?i:Basic|Bearer|Token) `)

func (p *Plan) header(name, text string) string {
	kind, place := "", "the header "+name
	if strings.Contains(strings.ToLower(name), "authorization") && p.known[text].Name == "" {
		kind = scheme.FindString(text)
	}
	if strings.EqualFold(kind, "Basic ") {
		place += ": USER:PASSWORD in base64"
	}
	return kind + p.hide(text[len(kind):], name, place, false)
}

// scalar matches a text or number in compact JSON, and the name of a member with its colon.
var scalar = regexp.MustCompile(`"(?:[^"\\]|\\.)*":?|-?[0-9][-+.0-9eE]*`)

// value hides the texts and numbers in a value: all, or those that the plan knows.
func (p *Plan) value(value []byte, name string, all bool) []byte {
	return scalar.ReplaceAllFunc(value, func(found []byte) []byte {
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
)

// split parts a text at placeholders and secrets: every other part is the name of a variable.
func (it *iteration) split(text, name, place, encoding string) []string {
	p := it.o.Plan
	text = it.o.Secrets.Replace(text, func(found string) string { return p.hide(found, name, place, true) })
	var parts []string
	from := 0
	for _, at := range placeholders.FindAllStringSubmatchIndex(text, -1) {
		i, err := strconv.Atoi(text[at[2]:at[3]])
		if err != nil || i >= len(p.hidden) {
			continue // the configuration has such a text itself
		}
		parts = append(parts, text[from:at[0]], p.variable(p.hidden[i], encoding))
		from = at[1]
	}
	return append(parts, text[from:])
}

// variable returns the name of the variable for a hidden text, where texts are encoded.
func (p *Plan) variable(v Variable, encoding string) string {
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
