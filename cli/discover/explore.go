package discover

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"sluice/cli/view"
	"sluice/pipeline"
	"sluice/pipeline/item"
	"sluice/source"
	"sluice/source/check"
	"sluice/source/config"
)

// LoginError says that the only request of an API is a login.
type LoginError struct {
	// Token is where its answer has the token.
	Token string
}

func (e *LoginError) Error() string {
	return fmt.Sprintf("this is a login, whose answer has the token at %s: write the command that asks for items "+
		"after it, with $TOKEN in place of the token", e.Token)
}

// An Explorer finds out what the answers of an API say.
type Explorer struct {
	api     *Description
	options source.Options
	say     func(format string, args ...any)
}

// NewExplorer makes an explorer, which sends five requests at most besides that of a login, none of them twice and
// none that is known. say tells people what it sends and finds; Wrap and Observer of the options are its own, Secrets must be there.
func NewExplorer(a *Description, o source.Options, say func(format string, args ...any)) *Explorer {
	most := 5
	if a.login != nil {
		most++
	}
	refusal := "all requests that are allowed for this have been sent"
	if a.offline {
		most, refusal = 0, "the file has no answer to this request"
	}
	came := &answerCache{
		left: most, refusal: refusal, secrets: o.Secrets, say: say,
		byRequest: map[string]*triedAnswer{}, patience: map[string]int{},
	}
	for _, k := range a.known {
		came.byRequest[k.key] = k.triedAnswer
	}
	o.Wrap, o.Observer = came.wrap, pipeline.Observers{}
	o.AddCredentials = `add those that its documentation or the browser has, such as -H "Authorization: Bearer $TOKEN"`
	return &Explorer{api: a, options: o, say: say}
}

// Source makes a source of the configuration of the API. It asks for nothing that has been asked for already.
func (x *Explorer) Source(f Observed, observer pipeline.Observer) (*source.Source, error) {
	return x.source(x.api, f, observer)
}

func (x *Explorer) source(a *Description, f Observed, observer pipeline.Observer) (*source.Source, error) {
	var p config.Problems
	root := config.Parse("the configuration", a.Configuration(f), &p)
	root = config.SetAttributes(root, a.Secrets, &p)
	document := config.Decode(root, x.options.Secrets, &p)
	// Each is one more request.
	document.MaxRetries = mostPatience
	options := x.options
	options.Observer = observer
	made := source.New([]*config.Document{document}, options, &p)
	return made, p.Err()
}

// look returns what check finds on the first page, and with guess how pages follow it.
func (x *Explorer) look(ctx context.Context, a *Description, f Observed, guess bool) (check.JobResult, error) {
	made, err := x.source(a, f, x.options.Observer)
	if err != nil {
		return check.JobResult{}, err
	}
	var result check.JobResult
	err = made.Check(ctx, guess, func(r check.JobResult) error {
		result = r
		return r.Err
	})
	return result, err
}

// Explore finds where the items of the API are and how it pages, and says what of it is sure.
func (x *Explorer) Explore(ctx context.Context) (Observed, error) {
	token, err := x.findToken(ctx)
	if err != nil {
		return Observed{}, err
	}
	f := Observed{token: token}
	whole, err := x.lookAtAll(ctx, &f)
	if err != nil {
		return Observed{}, err
	}
	page := whole.Page
	if err := x.refuseLogin(page); err != nil {
		return Observed{}, err
	}
	if !f.hasPaths() {
		x.say("sure: each line of the answer is an item")
		return x.findPagination(ctx, f)
	}
	hasNoArray := page.Object && len(page.Arrays) == 0
	if hasNoArray {
		f.Made = mapIn(page.Item)
	}
	switch {
	case page.Items == 0 || hasNoArray && f.Made == "":
		x.say("guessed: the answer has no items, so how to page is not known; " +
			`if the answer is itself an item, write "dataField": "."`)
		return f, nil
	case hasNoArray:
		x.say(`guessed: the items are the members of an object: "dataField": %s`, f.Made)
	default:
		err = x.findInArrays(ctx, page, &f)
	}
	if err != nil {
		return Observed{}, err
	}
	return x.findPagination(ctx, f)
}

// findInArrays enters which array of a page has the items, and what makes objects of rows.
func (x *Explorer) findInArrays(ctx context.Context, page *check.FirstPage, f *Observed) (err error) {
	f.Made = string(page.DataField)
	if f.Made == "" {
		f.DataField = x.findItems(page)
		f.Made, err = x.findRows(ctx, *f)
	}
	if err == nil && f.Made != "" {
		x.say(`guessed: the items are rows without names: "dataField": %s`, f.Made)
	}
	return err
}

// lookAtAll looks at the whole answer as one item. Of one that is no document of JSON it enters the format.
func (x *Explorer) lookAtAll(ctx context.Context, f *Observed) (check.JobResult, error) {
	all := *f
	all.DataField = "."
	whole, err := x.look(ctx, x.api, all, false)
	if err == nil || whole.Format == "" {
		return whole, err
	}
	all.Format = whole.Format
	if !all.hasPaths() {
		all.DataField = ""
	}
	again, bad := x.look(ctx, x.api, all, false)
	if bad != nil {
		return whole, err
	}
	f.Format = all.Format
	x.say(`guessed: the answer is no document of JSON: "format": %s`, f.Format)
	return again, nil
}

// findRows is the dataField that makes objects of the items if these are rows; empty: they are none.
func (x *Explorer) findRows(ctx context.Context, f Observed) (string, error) {
	found, err := x.look(ctx, x.api, f, false)
	if err != nil {
		return "", err
	}
	return string(found.Page.DataField), nil
}

// findToken sends the login if there is one.
func (x *Explorer) findToken(ctx context.Context) (tokenPlace, error) {
	if x.api.login == nil {
		return tokenPlace{}, nil
	}
	answer, err := x.look(ctx, x.api.login, Observed{DataField: "."}, false)
	if err != nil {
		return tokenPlace{}, fmt.Errorf("the login: %w", err)
	}
	token := tokenIn(answer.Page.Item)
	if path := x.api.login.tokenPath; path != "" {
		if value := item.Lookup(answer.Page.Item, item.ParsePath(path, ".")); item.Kind(value) != '"' {
			return token, fmt.Errorf("the answer to the first command has no text at %s, which jq takes as the token", path)
		}
		token.path = path
	}
	if token.path == "" {
		return token, errors.New("the answer to the first command has no member that looks like a token")
	}
	x.say("sure: the first command is the login, whose answer has the token in %s", token.path)
	return token, nil
}

// refuseLogin refuses a request that is only the login.
func (x *Explorer) refuseLogin(p *check.FirstPage) error {
	if x.api.login != nil || x.api.method == "" || !p.Object {
		return nil
	}
	token := tokenIn(p.Item)
	mayHaveItems := len(p.Arrays) > 0 && token.expires == ""
	if token.path == "" || mayHaveItems {
		return nil
	}
	return &LoginError{token.path}
}

// findItems returns the likeliest dataField of a page that has items.
func (x *Explorer) findItems(p *check.FirstPage) string {
	if p.Envelope {
		x.say("sure: the items are the second element of the answer (\"dataField\": \"1\"), behind an object that describes them")
		return "1"
	}
	if !p.Object {
		x.say("sure: the answer is an array of the items")
		return ""
	}
	field, others := p.Arrays[0], p.Arrays[1:]
	if len(others) == 0 {
		x.say("sure: the items are in %s", field)
	} else {
		x.say("guessed: the items are in %s, and not in %s", field, someOf(others))
	}
	return field
}

// someOf names the first of many things, and counts the rest.
func someOf(names []string) string {
	const most = 20
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %s", strings.Join(names[:most], ", "), view.Count(len(names)-most, "more array"))
}

// findPagination adds the pagination that brings a second page.
func (x *Explorer) findPagination(ctx context.Context, f Observed) (Observed, error) {
	found, err := x.look(ctx, x.api, f, true)
	if err != nil {
		return Observed{}, err
	}
	for _, t := range found.Tries {
		if t.Against != "" {
			x.say("tried: %s: %s", t.Pagination, t.Against)
			continue
		}
		certainty := "likely"
		if found.Sure {
			certainty = "sure"
		}
		x.say("%s: the next page is found with %s: the second page has %s that the first page does not have",
			certainty, t.Pagination, view.Count(t.Others, "item"))
		if t.FromOne != "" {
			x.say(
				"guessed: items are counted from 1, since the second page begins with the last item of the "+
					"first: a command with %s=1 can confirm it",
				t.FromOne,
			)
		}
	}
	f.Pagination = string(found.Pagination)
	if name := x.api.begin(found.Pagination, secondOf(found)); name != "" {
		x.say("a run begins with the page that the command names in %s: if there are pages before it, give the "+
			"command without %[1]s", name)
	}
	if f.Pagination == "" {
		x.sayNoPagination(found)
	}
	return f, nil
}

// secondOf is the request for the second page, the last thing that was tried; empty: nothing was.
func secondOf(r check.JobResult) string {
	if len(r.Tries) == 0 || len(r.Tries[len(r.Tries)-1].Requests) == 0 {
		return ""
	}
	return r.Tries[len(r.Tries)-1].Requests[0]
}

const (
	tokenPaths = "access_token accessToken token id_token jwt session_id sessionId sid key " +
		"data.access_token data.accessToken data.token result.token result.access_token"
	expiryPaths = "expires_in expiresIn data.expires_in data.expiresIn result.expires_in"
)

// tokenIn finds the token in the answer to a login.
func tokenIn(answer []byte) tokenPlace {
	isText := func(value []byte) bool { return item.Kind(value) == '"' }
	isNumber := func(value []byte) bool {
		_, ok := item.DecimalOf(value)
		return ok
	}
	return tokenPlace{
		path:    firstPath(answer, tokenPaths, isText),
		expires: firstPath(answer, expiryPaths, isNumber),
	}
}

// firstPath is the first of the paths whose value fits; empty if there is none.
func firstPath(answer []byte, paths string, fits func(value []byte) bool) string {
	for path := range strings.FieldsSeq(paths) {
		if fits(item.Lookup(answer, item.ParsePath(path, "."))) {
			return path
		}
	}
	return ""
}
