package source_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"sluice/pipeline"
	"sluice/source"
)

// canary is a secret of the configuration that the answers hold.
const canary = "canary-in-a-coal-mine"

// TestWhateverRefusesAnAnswerQuotesIt has answers in whose beginning @ is the secret, which stands at their 500th
// byte too.
func TestWhateverRefusesAnAnswerQuotesIt(t *testing.T) {
	for name, c := range map[string]struct {
		api, job, body, want string
		status               int
	}{
		"failOn":            {job: `, "failOn": ["code==7"]`, body: `{"by": "@", "code": 7, @}`, want: "failOn: code==7 holds"},
		"failOn of a 404":   {job: `, "failOn": ["code==7"]`, body: `{"by": "@", "code": 7, @}`, want: "failOn: code==7 holds", status: 404},
		"retryOn":           {job: `, "retryOn": ["code==7"]`, body: `{"by": "@", "code": 7, @}`, want: "retryOn: code==7 holds"},
		"loginOn":           {job: `, "loginOn": ["code==7"]`, body: `{"by": "@", "code": 7, @}`, want: "loginOn: code==7 holds"},
		"endOn":             {job: `, "endOn": ["code==7"]`, body: `{"by": "@", "code": 7, @}`, want: "endOn: code==7 holds for the first page"},
		"waitOn":            {job: wait, body: `{"by": "@", "code": 7, @}`, want: "set a longer waitOn.for"},
		"waitOn of a 409":   {job: wait, body: `{"by": "@", "code": 7, @}`, want: "set a longer waitOn.for", status: 409},
		"the usual rule":    {job: `, "dataField": "a"`, body: `{"by": "@", "error": "no", @}`, want: "the answer is an error"},
		"a scalar":          {job: `, "dataField": "by"`, body: `{"by": "@", @}`, want: "where items should be"},
		"a wrong path":      {job: `, "dataField": "users"`, body: `{"by": "@", "user": [1], @}`, want: `write "dataField": "user"`},
		"several arrays":    {body: `{"by": "@", "a": [], "b": [], @}`, want: "several arrays"},
		"an envelope":       {body: `[{"by": "@", @}, []]`, want: "an object and an array in an array"},
		"broken JSON":       {body: `{"by": "@", "a": x, @}`, want: "invalid JSON"},
		"no JSON":           {body: `<p>@, @</p>`, want: "not JSON"},
		"another format":    {body: `{"by": "@", @} x`, want: "more text after the end of the document"},
		"a line":            {job: `, "format": "ndjson"`, body: "{\"by\": \"@\"}\n\"no\"\n{@}\n", want: "the line is"},
		"no table":          {job: `, "format": "csv"`, body: `{"by": "@", @}`, want: "the answer is not a table"},
		"a broken table":    {job: `, "format": "csv"`, body: "a,b\n@,1,2\n@\n", want: "wrong number of fields"},
		"a next address":    {api: next, body: `{"by": "@", "next": [1], "a": [1], @}`, want: "not the address of the next page", job: `, "dataField": "a"`},
		"an item of paging": {api: cursor, body: `{"by": "@", "a": [{}], @}`, want: "idKey: item 1 of the page", job: `, "dataField": "a"`},
	} {
		beginning := strings.Replace(c.body, "@", canary, 1)
		at := strings.Index(beginning, "@")
		// A reader of the message must not see a part of it either.
		const cut = 500 - len(canary)/2
		filler := `"` + strings.Repeat("x", cut-at-3+len(canary)-len("[secret]")) + `":"` + canary + `"`
		body := strings.Replace(beginning, "@", filler, 1)
		handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(max(c.status, http.StatusOK))
			fmt.Fprint(w, body)
		})
		err := refused(t, c.api, c.job, handler)
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		quote := strings.NewReplacer(canary, "[secret]", "\n", " ").Replace(beginning[:at])
		text := err.Error()
		if !strings.Contains(text, c.want) || !strings.Contains(text, ": "+quote) {
			t.Errorf("%s: %s, which must have %q and %q", name, text, c.want, quote)
		}
		if strings.Contains(text, canary[:4]) || !strings.Contains(text, "xxx") {
			t.Errorf("%s: the secret, or no long quote: %s", name, text)
		}
	}
}

const (
	wait   = `, "waitOn": {"when": "code==7", "every": 1, "for": 1}`
	next   = `, "pagination": {"method": "response.url", "urlKey": "next"}`
	cursor = `, "pagination": {"method": "cursor", "idKey": "id", "param": "after"}`
)

// refused is the error of a run of one job, whose members are written down.
func refused(t *testing.T, api, job string, handler http.Handler) (err error) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		text := fmt.Sprintf(`{"api": {"baseUrl": "http://api.test/", "retryConfig": {"maxRetries": 0}%s}, `+
			`"config": {"#key": "%s", "jobs": [{"endpoint": "list"%s}]}}`, api, canary, job)
		err = run(t, text, source.Options{}, handler, func(b *pipeline.Batch) error {
			b.Release()
			return nil
		})
	})
	return err
}
