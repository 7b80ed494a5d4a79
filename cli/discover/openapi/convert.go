package openapi

import (
	"bytes"
	"encoding/json"
	"iter"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"sluice/pipeline/item"
	"sluice/pipeline/secret"
)

// Convert makes a configuration of the operation at a path, before which its method may stand.
func (d *APIDocument) Convert(path string) (ConvertedOperation, error) {
	o, err := d.find(path)
	if err != nil {
		return ConvertedOperation{}, err
	}
	r, _ := d.convert(o, choice{})
	return r, d.fatal
}

// mostAlternatives is how many configurations of one operation are made at most.
const mostAlternatives = 64

// Alternatives are the configurations of an operation for each of its servers and each way to sign its requests, the one
// that Convert makes first.
func (d *APIDocument) Alternatives(path string) (iter.Seq[ConvertedOperation], error) {
	o, err := d.find(path)
	if err != nil {
		return nil, err
	}
	return func(yield func(ConvertedOperation) bool) {
		var c choice
		for range mostAlternatives {
			r, w := d.convert(o, c)
			if d.fatal != nil || !yield(r) {
				return
			}
			c.way++
			if c.way >= w.ways {
				c = choice{server: c.server + 1}
			}
			if c.server >= w.servers {
				return
			}
		}
	}, nil
}

// convert makes a configuration for one of the servers and one of the ways to sign.
func (d *APIDocument) convert(o *operation, c choice) (ConvertedOperation, *configWriter) {
	w := &configWriter{d: d, choice: c}
	w.findServer(o)
	w.credentials(o)
	ofAPI := len(w.account)
	j := w.jobOf(o)
	config := w.config(j)
	document := item.ObjectBuilder{"api", w.api(j).String(), "config", config.String()}
	var b bytes.Buffer
	// An object is valid JSON.
	_ = json.Indent(&b, []byte(document.String()+"\n"), "", "  ")
	return ConvertedOperation{
		Configuration: b.Bytes(), Account: w.account, OfAPI: ofAPI, Secrets: w.secrets, Missing: w.missing,
	}, w
}

// api is the member of that name.
func (w *configWriter) api(j *operationJob) item.ObjectBuilder {
	api := item.ObjectBuilder{"baseUrl", w.base}
	if len(w.query) > 0 && w.authentication == nil {
		w.authentication = item.ObjectBuilder{"type", `"query"`, "query", w.query.String()}
		w.query = nil
	}
	options := item.ObjectBuilder{}.
		With(len(w.headers) > 0, "headers", w.headers.String()).
		With(len(w.query) > 0, "params", w.query.String())
	api = api.With(w.authentication != nil, "authentication", w.authentication.String())
	api = api.With(len(options) > 0, "http", item.ObjectBuilder{"defaultOptions", options.String()}.String())
	pagination := w.pagination(j)
	return api.With(pagination != "", "pagination", pagination)
}

// pagination is the member of that name; empty: no job has pages.
func (w *configWriter) pagination(j *operationJob) string {
	switch {
	case j.isMultiple():
		var scrollers item.ObjectBuilder
		for _, one := range j.line() {
			if one.paging.options != nil {
				scrollers = append(scrollers, one.dataType, one.paging.options.String())
			}
		}
		return item.ObjectBuilder{"method", `"multiple"`, "scrollers", scrollers.String()}.String()
	case j.paging.options == nil:
		return ""
	}
	return j.paging.options.String()
}

// config is the member of that name.
func (w *configWriter) config(j *operationJob) item.ObjectBuilder {
	all := j.line()
	isMultiple := j.isMultiple()
	var made []item.ObjectBuilder
	for _, one := range all {
		made = append(made, w.job(one).With(isMultiple && one.paging.options != nil, "scroller", quoted(one.dataType)))
	}
	child := ""
	for _, o := range slices.Backward(made) {
		child = o.With(child != "", "children", "["+child+"]").String()
	}
	return append(slices.Clone(w.attributes), "jobs", "["+child+"]")
}

// job is one as the configuration has it.
func (w *configWriter) job(j *operationJob) item.ObjectBuilder {
	endpoint := w.endpoint(j)
	o := item.ObjectBuilder{"endpoint", endpoint, "id", quoted(j.dataType), "dataType", quoted(j.dataType)}
	if j.parent != nil {
		placeholders := item.ObjectBuilder{j.below, quoted(j.key)}
		o = append(o, "placeholders", placeholders.String())
	}
	if j.method != http.MethodGet {
		method := "POST"
		if slices.ContainsFunc(j.parameters, func(p parameter) bool { return p.in == "form" }) {
			method = "FORM"
		}
		o = append(o, "method", quoted(method))
	}
	w.tellItems(j)
	o = o.With(j.answer.format != "", "format", quoted(j.answer.format))
	if text, delimiter := joined(j.items.path); text != "" && j.answer.format == "" {
		field := quoted(text)
		if delimiter != "." {
			field = item.ObjectBuilder{"path", field, "delimiter", quoted(delimiter)}.String()
		}
		o = append(o, "dataField", field)
	}
	o = w.send(o, j)
	for _, line := range j.paging.account {
		w.say(line.Certainty, "%s: %s", j.dataType, line.Text)
	}
	return o
}

// tellItems says where the items are.
func (w *configWriter) tellItems(j *operationJob) {
	at := strings.Join(j.items.path, ".")
	switch {
	case j.items.isUnsaid:
		w.say(Unknown, "%s: the document does not describe the answer of %s: its only array counts, or set dataField",
			j.dataType, j.name())
	case j.answer.format != "":
		w.say(Sure, "%s: the answer of %s is %s", j.dataType, j.name(), j.answer.format)
	case at == "":
		w.say(Sure, "%s: the answer of %s is an array of the items", j.dataType, j.name())
	case len(j.items.others) == 0:
		w.say(Sure, "%s: the items of %s are in %s", j.dataType, j.name(), at)
	default:
		w.say(Likely, "%s: the items of %s are in %s, and not in %s", j.dataType, j.name(), at,
			shortened(strings.Join(j.items.others, ", ")))
	}
}

// endpoint is the path of a job as JSON: attributes where no item has what a parameter of it wants.
func (w *configWriter) endpoint(j *operationJob) string {
	var above []string
	for one := j; one != nil; one = one.parent {
		above = append(above, one.below)
	}
	var parts []string
	text, rest := "", strings.TrimPrefix(j.path, "/")
	for {
		at := pathParameter().FindStringSubmatchIndex(rest)
		if at == nil {
			break
		}
		name := rest[at[2]:at[3]]
		text += rest[:at[0]]
		if slices.Contains(above, name) {
			text += rest[at[0]:at[1]]
		} else {
			parts = append(parts, quoted(text), function("urlencode", w.value(j.pathParameter(name))))
			text = ""
		}
		rest = rest[at[1]:]
	}
	text += rest
	if len(parts) == 0 && text == "" {
		text = "/"
	}
	if text != "" {
		parts = append(parts, quoted(text))
	}
	return concat(parts...)
}

// value is the reference to an attribute for a parameter that must be there.
func (w *configWriter) value(p *parameter) string {
	if secret.Parameter(p.name) && p.in != "path" {
		w.say(Likely, "%s is a secret: attribute #%s", p.name, strings.ToLower(w.nameOf(p.name)))
		return w.secret(p.name)
	}
	s := p.shape
	if s.kind == "array" {
		// One of its elements is enough.
		s = w.d.shape(s.items)
	}
	if usual := s.standard.scalar(); usual != "" {
		name := w.give(p.name, usual)
		w.say(Likely, "%s is %s, the default, which the attribute %s changes", p.name, shortened(usual), name)
		return reference(name)
	}
	choices := s.choices.elements()
	if len(choices) > 0 && choices[0].scalar() != "" {
		c, others := Likely, ""
		if len(choices) == 1 {
			c = Sure
		} else {
			others = ", the first of " + strconv.Itoa(len(choices)) + " values that are allowed"
		}
		w.say(c, "%s is %s%s", p.name, shortened(choices[0].scalar()), others)
		return reference(w.give(p.name, choices[0].scalar()))
	}
	w.say(Sure, "%s is required, and you say its value: attribute %s%s", p.name, w.nameOf(p.name), hint(p))
	return w.attribute(p.name)
}

// hint is what the document says of a parameter.
func hint(p *parameter) string {
	example := p.shape.example.scalar()
	switch {
	case example != "" && !secret.Parameter(p.name):
		return ", such as " + shortened(example)
	case p.shape.description != "":
		return " (" + shortened(p.shape.description) + ")"
	}
	return ""
}

// ofProtocol are headers that no parameter is, as the specification says.
var ofProtocol = []string{"accept", "content-type", "authorization"}

// send adds the parameters that a job sends itself: those that must be there, and the size of pages.
func (w *configWriter) send(o item.ObjectBuilder, j *operationJob) item.ObjectBuilder {
	var params, query, headers item.ObjectBuilder
	isGet := j.method == http.MethodGet
	for i := range j.parameters {
		p := &j.parameters[i]
		isSize := j.paging.isOfJob && p == j.paging.size
		isFirst := p == j.paging.fromOne
		isOfPaging := slices.Contains(j.paging.taken, p)
		isOfProtocol := p.in == "header" && slices.Contains(ofProtocol, strings.ToLower(p.name))
		if p.in == "path" || !isSize && !isFirst && (!p.isRequired || isOfPaging || isOfProtocol || w.signs(p)) {
			continue
		}
		value := strconv.Itoa(j.paging.limit)
		if isFirst {
			value = "1"
		} else if !isSize {
			value = w.value(p)
		}
		switch {
		case p.in == "header":
			headers = headers.With(true, p.name, value)
		case p.in == "cookie":
			w.say(Unknown, "the cookie %s, which is required: write it as a header", p.name)
		case p.in == "query" && !isGet:
			query = query.With(true, p.name, value)
		default:
			params = params.With(true, p.name, value)
		}
	}
	return o.With(len(params) > 0, "params", params.String()).
		With(len(query) > 0, "query", query.String()).
		With(len(headers) > 0, "headers", headers.String())
}

// signs tells whether a parameter is one of the credentials.
func (w *configWriter) signs(p *parameter) bool {
	return has(w.headers, p.name) || has(w.query, p.name)
}
