package config

import (
	"cmp"
	"time"
)

// decodeAPI reads the section api: how the API is reached.
func (d *Document) decodeAPI(o *ObjectDecoder, p *Problems) {
	d.BaseURL = o.Any("baseUrl",
		"Base address of the API, absolute http or https; a string or an expression.",
		"string", "expression")
	o.Ignored("name")
	d.CACertificate = o.Any("caCertificate",
		"Certificates in PEM that may sign the API's, instead of the system's.",
		"string", "expression")
	d.ClientCertificate = o.Any("#clientCertificate",
		"Certificate and key in PEM to show to the API.",
		"string", "expression")
	aws := o.Any("aws", "Credentials of AWS Signature Version 4, if they are not beside api.", "aws")
	if aws != nil {
		if d.AWS != nil {
			p.Errorf(aws, "stands here and beside api: remove one of the two")
		}
		d.AWS = aws
	}
	d.Authentication = o.Any("authentication", "How requests are authenticated.", "authentication")
	o.Unsupported(
		`is an older form: write "authentication": {"type": "query", "query": {…}} instead`, "query")
	d.Pagination = o.Any("pagination", "How the pages of a job follow one another.", "pagination")
	o.Require("baseUrl")
	d.http(o.Object("http", "Headers, parameters and time-outs of requests."), p)
	d.retry(o.Object("retryConfig", "When a request is sent again."), p)
	o.Done()
}

// http reads what all requests have in common.
func (d *Document) http(o *ObjectDecoder, p *Problems) {
	for _, n := range o.List("requiredHeaders", "Headers that the configuration must set.", "string") {
		if n.mustBeString("the name of a header", p) {
			d.RequiredHeaders = append(d.RequiredHeaders, n)
		}
	}
	d.IgnoreErrors = statuses(o, "ignoreErrors",
		"Statuses whose answers are used as data when nothing else helps.", p)
	d.Conditions = conditions(o, p)
	d.Arrays = o.Choice("arrays", "indexed",
		"How queries and forms write arrays: a[0]=x, a[]=x, a=x&a=y, or a=x,y.",
		"indexed", "brackets", "repeat", "comma")
	d.Booleans = o.Choice("booleans", "numbers",
		"How queries and forms write booleans: 1 and 0, or true and false.",
		"numbers", "words")
	d.Headers = append(d.Headers, o.Map("headers", "Headers of every request, the login request included."))
	d.Rates = rates(o, p)
	d.HTTPVersion = o.Choice("version", "1.1",
		"HTTP/1.1 or HTTP/2 for all requests; auto is HTTP/2 where an https server offers it.",
		"1.1", "2", "auto")
	d.ConnectTimeout = seconds(o, "connectTimeout", 30, "Seconds to connect.", p)
	d.RequestTimeout = seconds(o, "requestTimeout", 300,
		"Seconds without a byte before a request is given up.", p)
	defaults := o.Object("defaultOptions", "What every API request carries, the login request not.")
	d.DefaultHeaders = defaults.Map("headers", "Headers of every API request.")
	d.DefaultParams = defaults.Map("params", "Parameters of every API request.")
	d.DefaultMethod = defaults.Any("method", "Method of jobs that have none of their own.", "string")
	d.DefaultMethod.mustBeString("GET, POST or FORM", p)
	defaults.Done()
	o.Done()
}

func (d *Document) retry(o *ObjectDecoder, p *Problems) {
	retries, n := o.Int("maxRetries", 10, "How often a request is repeated at most; 0 is never.")
	inRange := 0 <= retries && retries <= 1000
	if n != nil && !inRange {
		p.Errorf(n, "must be between 0 and 1000")
	}
	d.MaxRetries = int(retries)
	olderCodes := statuses(o, "httpCodes", "An older name of http.codes.", p)
	olderHeader := o.Text("headerName", "", "An older name of http.retryHeader.")
	o.Ignored("curlCodes", "curl")
	http := o.Object("http", "Which answers are temporary.")
	d.RetryHeader = http.Text("retryHeader", cmp.Or(olderHeader, "Retry-After"),
		"Header of an answer 403, 420, 429 or 503 that says how long to wait where Retry-After does not.")
	d.RetryCodes = statuses(http, "codes",
		"Statuses that are retried, instead of 408, 420, 429, 500, 502, 503 and 504.", p)
	if d.RetryCodes == nil {
		d.RetryCodes = olderCodes
	}
	http.Done()
	o.Done()
}

// statuses reads a list of HTTP statuses; nil if it is absent.
func statuses(o *ObjectDecoder, name, doc string, p *Problems) []int {
	list := o.List(name, doc, "integer")
	if o.Node().Member(name) == nil {
		return nil
	}
	codes := []int{}
	for _, n := range list {
		code, ok := n.Int()
		inRange := 100 <= code && code <= 599
		if !ok || !inRange {
			p.Errorf(n, "must be an HTTP status")
			continue
		}
		codes = append(codes, int(code))
	}
	return codes
}

func seconds(o *ObjectDecoder, name string, or int64, doc string, p *Problems) time.Duration {
	s, n := o.Int(name, or, doc)
	inRange := 1 <= s && s <= 86400
	if n != nil && !inRange {
		p.Errorf(n, "must be between 1 and 86400 seconds")
	}
	return time.Duration(s) * time.Second
}
