package plan

import (
	"context"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
	"sluice/pipeline/secret"
	"sluice/source/job"
	"sluice/source/request"
	"sluice/source/walk"
)

// Add adds the requests that a run would begin with. None is sent.
func (p *Plan) Add(run *walk.Run) error {
	o := run.Options()
	r := &planner{Plan: p, run: run, api: o.API, userAgent: o.Client.UserAgent}
	for _, j := range r.api.Jobs {
		if err := r.job(j, nil, job.Ancestors{}); err != nil {
			return err
		}
	}
	return nil
}

// job plans the first request of the job, and of those below it; nothing if it has no
// window.
func (p *planner) job(j *job.Job, c *job.Child, above job.Ancestors) error {
	if j.Windows == nil && !j.HasOwnWindows() {
		return nil
	}
	w, err := p.run.Begin(j, c, above, p.window(j))
	if err != nil {
		return err
	}
	r, err := w.Request(w.First)
	if err != nil {
		return err
	}
	r = apart(r)
	planned := PlannedRequest{Job: j.ID, Notes: p.notesOf(j)}
	if j.Parent != nil {
		planned.Above = j.Parent.ID
	}
	shared := r.Header.Clone()
	if signer := p.api.SignerOf(r); signer != nil {
		if err := p.sign(signer, r); err != nil {
			return err
		}
		if signer.Finish != nil {
			// The signature takes its place.
			r.Header.Del("Authorization")
			note := "the signature is missing here: a run makes it when the request is complete"
			planned.Notes = append(planned.Notes, note)
		}
	}
	if err := p.add(planned, r, shared); err != nil {
		return err
	}
	for _, c := range j.Children {
		if err := p.job(c.Job, c, p.below(j, c, above)); err != nil {
			return err
		}
	}
	return nil
}

func (p *planner) notesOf(j *job.Job) []string {
	notes := slices.Clone(p.notes)
	wait := j.Conditions.Wait
	if wait.Every > 0 {
		note := "a run asks again " + wait.String() + ", while what comes is not ready"
		notes = append(notes, note)
	}
	if j.Known != nil && !j.HasOwnWindows() {
		what := "sends"
		if j.Before != nil {
			// It may only say where the pages end.
			what = "knows"
		}
		note := "for each item above, a run " + what + " the last value of that item; this shows the default of the " +
			"function last"
		notes = append(notes, note)
	}
	if j.Before != nil {
		notes = append(notes, noteOfUntil(j))
	}
	if j.Windowed() {
		notes = append(notes, noteOfWindows(j))
	}
	return notes
}

// noteOfUntil says where the pages of a walk end that goes until what is known.
func noteOfUntil(j *job.Job) string {
	field := j.Paging.Until.Field.String()
	note := "pages follow until the last item of one is older at " + field + " than until.before"
	v, err := j.Before.Eval(j.Request.Env)
	if !j.Before.Ready() || err != nil || v.Secret {
		return note
	}
	return note + ", which is " + string(v.JSON)
}

// sign signs r, and plans the login request if r is the first that needs one.
func (p *planner) sign(signer *request.Signer, r *request.Request) error {
	if signer.Plan == nil {
		if signer.Apply == nil {
			return nil
		}
		return signer.Apply(context.Background(), r)
	}
	first, shared, err := signer.Plan(r, p.unknown, p.Made)
	if err != nil || p.loggedIn {
		return err
	}
	p.loggedIn = true
	notes := slices.Clone(p.notes)
	if signer.PlanNote != "" {
		notes = append(notes, signer.PlanNote)
	}
	for _, login := range first {
		if err := p.add(PlannedRequest{Job: r.Job, Login: true, Notes: notes}, login, shared); err != nil {
			return err
		}
		// What a person should know, he knows now.
		notes = p.notes
	}
	return nil
}

// add adds r to the plan; of its headers those that are not shared are
// of the authentication.
func (p *planner) add(
	planned PlannedRequest, r *request.Request, shared http.Header,
) error {
	r = apart(r)
	p.hideHeaders(r.Header, shared, planned.Login)
	p.hideParams(r.Endpoint, true)
	p.hideAddress(r)
	// Not all in a secret object of a job is secret.
	p.hideParams(r.Params, planned.Login)
	p.hideParams(r.Login, true)
	h, err := r.HTTP(context.Background(), r.Address(), http.Header{})
	if err != nil {
		return request.PlainError(err)
	}
	defaults := map[string]string{
		"Accept":     "application/json",
		"User-Agent": p.userAgent,
	}
	for name, value := range defaults {
		if h.Header.Get(name) == "" {
			h.Header.Set(name, value)
		}
	}
	if err := p.curl(&planned, h, r.Method); err != nil {
		return err
	}
	p.Requests = append(p.Requests, planned)
	p.spend(p.run.Options().Client.Quotas, h.URL)
	return nil
}

// apart is a copy of r whose headers and parameters can be changed.
func apart(r *request.Request) *request.Request {
	c := r.Clone()
	c.Header = r.Header.Clone()
	c.Endpoint = slices.Clone(r.Endpoint)
	c.Params = slices.Clone(r.Params)
	c.Login = slices.Clone(r.Login)
	return c
}

func (p *planner) hideHeaders(h, shared http.Header, login bool) {
	for name, values := range h {
		harmless := login && secret.HarmlessHeader(name)
		own := shared.Get(name) != values[0] && !harmless
		isSecret := secret.Name(name) || p.known[values[0]].From != ""
		if own || isSecret {
			values[0] = p.header(name, values[0])
		}
	}
}

// hideAddress hides what is secret in the path and in the endpoint's own query, but for secrets that are found
// wherever they stand.
func (p *planner) hideAddress(r *request.Request) {
	redact := p.api.Secrets.Redact
	if !strings.HasPrefix(redact(r.Address()), r.URL.Scheme+":") {
		// The whole address is one of these.
		return
	}
	if r.Hide != nil {
		left := strings.Split(redact(r.URL.EscapedPath()), "/")
		r.URL = r.Hide(r.URL, func(segment, _ string) string {
			if !slices.Contains(left, segment) {
				return segment
			}
			return p.hide(segment, "segment", "part of the path, URL-encoded", true)
		})
	}
	for i, q := range r.Endpoint {
		name, value, hasValue := strings.Cut(q.Raw, "=")
		isDone := q.Raw == "" || redact(q.Raw) != q.Raw
		if q.Secret && hasValue && !isDone {
			r.Endpoint[i].Raw = name + "=" + p.hide(value, q.Name, "the parameter "+q.Name+inURL, true)
		}
	}
}

// hideParams hides secret parameters: whole objects, or of these what
// the plan knows.
func (p *planner) hideParams(params request.Params, objects bool) {
	for i, q := range params {
		if q.Secret {
			_, isScalar := item.Text(q.Value)
			params[i].Value = p.value(q.Value, q.Name, isScalar || objects)
		}
	}
}

// hideEncoded hides a secret as it stands in an address or in a body.
func (p *planner) hideEncoded(found, name, place, encoding string) string {
	for _, plain := range decoded(found, encoding) {
		known := p.known[plain]
		isEncoded := plain != found && known.Name != ""
		if isEncoded {
			return p.placeholder(
				ShellVariable{Name: known.Name, From: known.From + encoding, text: found, bare: true},
			)
		}
	}
	return p.hide(found, name, place, true)
}

// decoded is what a text may stand for: in an address that of a path, then that of a query.
func decoded(found, encoding string) []string {
	var plain []string
	switch encoding {
	case inURL:
		for _, unescape := range []func(string) (string, error){url.PathUnescape, url.QueryUnescape} {
			if text, err := unescape(found); err == nil {
				plain = append(plain, text)
			}
		}
	case inJSON:
		if text, err := jsontext.AppendUnquote(nil, `"`+found+`"`); err == nil {
			plain = append(plain, string(text))
		}
	}
	return plain
}

// split parts a text at placeholders and secrets: every other part is the name
// of a variable.
func (p *planner) split(text, name, place, encoding string) []string {
	text = p.api.Secrets.Replace(text, func(found string) string {
		return p.hideEncoded(found, name, place, encoding)
	})
	var parts []string
	from := 0
	for _, at := range placeholders().FindAllStringSubmatchIndex(text, -1) {
		i, err := strconv.Atoi(text[at[2]:at[3]])
		if err != nil || i >= len(p.hidden) {
			// The configuration has such a text itself.
			continue
		}
		parts = append(parts, text[from:at[0]], p.variable(p.hidden[i], encoding))
		from = at[1]
	}
	return append(parts, text[from:])
}

// version is the option of curl for api.http.version; empty: curl chooses.
func (p *planner) version(u *url.URL) string {
	switch version := p.run.Options().Client.Version; {
	case version == "1.1":
		return "--http1.1"
	case version == "2" && u.Scheme == "http":
		return "--http2-prior-knowledge"
	case version == "2":
		return "--http2"
	}
	return ""
}

// curl enters the request as a command that sends it, once the variables are set.
func (p *planner) curl(
	planned *PlannedRequest, h *http.Request, method request.Method,
) error {
	words := []string{"curl -sS"}
	if option := p.version(h.URL); option != "" {
		words[0] += " " + option
	}
	for _, name := range slices.Sorted(maps.Keys(h.Header)) {
		for _, value := range h.Header[name] {
			header := name + ": " + value
			if value == "" {
				// With a colon curl would leave it out.
				header = name + ";"
			}
			parts := p.split(header, name, "the header "+name, "")
			words = append(words, "-H "+word(parts))
		}
	}
	if h.Host != h.URL.Host {
		parts := p.split("Host: "+h.Host, "Host", "the header Host", "")
		words = append(words, "-H "+word(parts))
	}
	if h.Body != nil {
		body, err := io.ReadAll(h.Body)
		if err != nil {
			return err
		}
		encoding := inURL
		if method != request.Form {
			encoding = inJSON
			body = p.typed(body)
		}
		parts := p.split(string(body), "body", "part of the body", encoding)
		if h.Method == http.MethodGet {
			words = append(words, "-X GET")
		}
		words = append(words, "--data-raw "+word(parts))
	}
	// Without a scheme the address begins with a variable that has one.
	address := strings.TrimPrefix(h.URL.String(), "//")
	if strings.ContainsAny(address, "[]{}") {
		words = append(words, "-g")
	}
	parts := p.split(address, "URL", "part of the URL", inURL)
	planned.Method, planned.URL = h.Method, expand(parts)
	planned.Command = strings.Join(append(words, word(parts)), " \\\n  ")
	return nil
}
