package source

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
	"sluice/pipeline/secret"
	"sluice/source/expr"
	"sluice/source/request"
)

// Planned is a request that a run would send.
type Planned struct {
	Job      string // id of the job that it is for
	Above    string // id of the job whose items it is for; empty for a root job
	Login    bool   // it is the login request, and Job the first that needs it
	Form     bool   // the body is a form, not JSON
	Unsigned bool   // a signature over the finished request is still to come, other than AWS
	AWS      *AWS   // what the signature of AWS is made with, which is still to come; nil: there is none
	Request  *http.Request
}

// AWS is what a signature of AWS is made with.
type AWS request.AWS

// prepare leaves to the signature what it makes, and writes the rest in the way
// that every version of curl can sign: the query sorted, without a plus.
func (a *AWS) prepare(h *http.Request) {
	h.Header.Del("Authorization")
	if a.Service == "s3" {
		h.Header.Set("X-Amz-Content-Sha256", "UNSIGNED-PAYLOAD")
	}
	if h.URL.RawQuery == "" {
		return
	}
	parts := strings.Split(strings.ReplaceAll(h.URL.RawQuery, "+", "%20"), "&")
	slices.SortStableFunc(parts, func(a, b string) int {
		name, _, _ := strings.Cut(a, "=")
		other, _, _ := strings.Cut(b, "=")
		return strings.Compare(name, other)
	})
	h.URL.RawQuery = strings.Join(parts, "&")
}

// Value is a text in a planned request, or one that only the run will know.
type Value struct {
	Place  Place
	Name   string // of the parameter or header; the path in the answer or item
	Text   string // empty where it is not known yet
	Number bool   // it stands in JSON as a number
	Secret bool   // it is not to be shown, whatever it is
	Job    string // id of the job whose item it comes from
	Made   string // name of the placeholder whose function makes it of what is there; empty: none does
}

// Place says where a [Value] stands, or where it will come from.
type Place int

// The places.
const (
	Header   Place = iota // of a request
	Param                 // a scalar in a parameter; Name has the steps that lead there
	Path                  // a step of the path in the address
	Response              // of the login response
	Maybe                 // as Response, or Name itself if the login response has nothing there
	Item                  // of an item of a job above
)

// Plan returns the requests that a run would begin with: the login request, and
// the first of each job. None is sent. show is called for each value, and returns
// the text that stands there instead.
//
// So that no secret is in the plan, the document should have been through
// [config.Mask], and Options.Call should see to functions of what that put there.
func (s *Source) Plan(show func(Value) string) ([]Planned, error) {
	p := &planner{show: show}
	for _, it := range s.iterations {
		p.iteration, p.loggedIn = it, false
		for _, j := range it.jobs {
			if err := p.job(j, nil, ancestors{}); err != nil {
				return nil, err
			}
		}
	}
	return p.all, nil
}

type planner struct {
	iteration *iteration
	show      func(Value) string
	loggedIn  bool
	all       []Planned
}

// job plans the first request of the job, and of those below it.
func (p *planner) job(j *job, c *child, above ancestors) error {
	w, err := p.iteration.newWalk(j, c, above)
	if err != nil {
		return err
	}
	r, err := w.request(w.first)
	if err != nil {
		return err
	}
	r = r.Clone()
	for i := range r.Params {
		r.Params[i].Secret = false // what is secret in there is shown by itself
	}
	planned := Planned{Job: j.id}
	if j.parent != nil {
		planned.Above = j.parent.id
	}
	if s := p.iteration.signerOf(r); s != nil {
		if s.AWS != nil {
			a := AWS(*s.AWS)
			a.AccessKeyID = p.show(Value{Place: Param, Name: "accessKeyId", Text: a.AccessKeyID})
			a.SecretKey = p.show(Value{Place: Param, Name: "secretKey", Text: a.SecretKey, Secret: true})
			planned.AWS = &a
		}
		if planned.Unsigned, err = p.sign(s, r); err != nil {
			return err
		}
	}
	if err := p.add(planned, r, nil); err != nil {
		return err
	}
	for _, c := range j.children {
		below := ancestors{
			Item: append([]int{1}, above.Item...),
			Kept: append([][]jsontext.Value{make([]jsontext.Value, len(j.keeps))}, above.Kept...),
		}
		for _, ph := range c.placeholders {
			v := Value{Place: Item, Name: ph.path, Job: j.up(ph.level - 1).id}
			if ph.value != nil {
				v.Made = ph.name
			}
			below.Values = append(below.Values, item.Quote(p.show(v)))
		}
		if err := p.job(c.job, c, below); err != nil {
			return err
		}
	}
	return nil
}

// up returns the job so many levels above.
func (j *job) up(levels int) *job {
	for range levels {
		j = j.parent
	}
	return j
}

// sign does what the session would do to r, and tells whether a signature is
// still to come.
func (p *planner) sign(s *request.Signer, r *request.Request) (unsigned bool, err error) {
	unsigned = s.Finish != nil && s.AWS == nil
	if s.Apply == nil {
		return unsigned, nil
	}
	if s.Plan == nil {
		return unsigned, s.Apply(context.Background(), r)
	}
	first, hidden, err := s.Plan(r, func(path string, literal bool) string {
		if literal {
			return p.show(Value{Place: Maybe, Name: path})
		}
		return p.show(Value{Place: Response, Name: path})
	})
	if err == nil && !p.loggedIn {
		p.loggedIn = true
		err = p.add(Planned{Job: r.Job, Login: true}, first, hidden)
	}
	return unsigned, err
}

// add enters a request, its values as show has them.
func (p *planner) add(planned Planned, r *request.Request, hidden []string) error {
	r = r.Clone()
	for name, values := range r.Header {
		hide := secret.Name(name) || slices.ContainsFunc(hidden, func(s string) bool { return strings.EqualFold(s, name) })
		for i, text := range values {
			values[i] = p.show(Value{Place: Header, Name: name, Text: text, Secret: hide})
		}
	}
	for _, params := range []request.Params{r.Endpoint, r.Params, r.Login} {
		for i := range params {
			p.param(&params[i])
		}
	}
	steps := strings.Split(r.URL.EscapedPath(), "/")
	for i, step := range steps {
		steps[i] = p.show(Value{Place: Path, Name: "path", Text: step})
	}
	r.URL.RawPath = strings.Join(steps, "/")
	var err error
	if r.URL.Path, err = url.PathUnescape(r.URL.RawPath); err != nil {
		return err
	}
	planned.Form = r.Method == request.Form
	if planned.Request, err = r.HTTP(context.Background()); err != nil {
		return plain(err)
	}
	if planned.AWS != nil {
		planned.AWS.prepare(planned.Request)
	}
	for name, value := range map[string]string{"Accept": "application/json", "User-Agent": p.iteration.o.UserAgent} {
		if planned.Request.Header.Get(name) == "" {
			planned.Request.Header.Set(name, value)
		}
	}
	p.all = append(p.all, planned)
	return nil
}

// param shows the scalars of a parameter.
func (p *planner) param(q *request.Param) {
	if q.Raw == "" {
		q.Value = p.value(q.Value, q.Name, q.Secret)
		return
	}
	name, text, _ := strings.Cut(q.Raw, "=")
	if shown := p.show(Value{Place: Param, Name: q.Name, Text: request.Unescape(text), Secret: q.Secret}); shown != request.Unescape(text) {
		q.Raw = name + "=" + url.QueryEscape(shown)
	}
}

// value shows the scalars of a value.
func (p *planner) value(value []byte, name string, secret bool) []byte {
	switch kind := item.Kind(value); kind {
	case '{':
		out := []byte{'{'}
		for key, member := range item.Members(value) {
			if len(out) > 1 {
				out = append(out, ',')
			}
			out = append(append(out, key...), ':')
			out = append(out, p.value(member, name+"."+item.Unquote(key), secret)...)
		}
		return append(out, '}')
	case '[':
		out := []byte{'['}
		for element := range item.Elements(value) {
			if len(out) > 1 {
				out = append(out, ',')
			}
			out = append(out, p.value(element, name, secret)...)
		}
		return append(out, ']')
	case '"', '0':
		text, _ := item.Text(value)
		if shown := p.show(Value{Place: Param, Name: name, Text: text, Number: kind == '0', Secret: secret}); shown != text {
			return item.Quote(shown)
		}
	}
	return value
}

// call is Options.Call as expressions want it.
func (o *Options) call(function string, args []expr.Value) (expr.Value, bool) {
	texts := make([][]byte, len(args))
	for i := range args {
		texts[i] = args[i].JSON
	}
	result, ok := o.Call(function, texts)
	return expr.Value{JSON: result, Secret: true}, ok
}
