//go:build unix

package cli

import (
	"encoding/json"
	"strings"
	"testing"
)

// FuzzCurl reads any text: it is refused, or becomes a configuration that is JSON. No error shows
// a value, and no secret stands in the configuration.
func FuzzCurl(f *testing.F) {
	for _, c := range curls {
		f.Add(c.command)
	}
	f.Add(`$ curl -sSLk -XPOST https://u:s3cr3t-7@x.test/a/?b=1&c -d 'a=b' | jq .`)
	f.Add("curl 'https://x.test/' --data-raw $'{\"a\":\"it\\'s \\u0021\", \"token\": \"s3cr3t-7\"}' \\\n")
	f.Add(`curl -G x.test --data-urlencode "q=a b" -d token=s3cr3t-7 -b a=b -A c -e d --oauth2-bearer s3cr3t-7 --json '{}'`)
	f.Add("T=$(curl x.test/token -d client_secret=s3cr3t-7 | jq -r .t); curl -H \"Authorization: Bearer $T\" x.test")
	f.Add("curl ^\"http://x.test/?token=s3cr3t-7^&a=^%^20^\" ^\r\n  -H ^\"a: b^\"")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := parseCurl(text, func(string) string { return "value" })
		if err != nil {
			if strings.Contains(err.Error(), "s3cr3t-7") {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		if got := c.configuration("data", `{"method": "pagenum"}`); !json.Valid(got) {
			t.Errorf("%q became\n%s", text, got)
		}
	})
}
