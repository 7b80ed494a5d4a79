package discover_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"sluice/cli/discover"
)

// FuzzCurl reads any text: it is refused, or becomes a configuration that is JSON. No error shows
// a value.
func FuzzCurl(f *testing.F) {
	for _, seed := range []string{
		"curl -L \\\n  -H \"Accept: application/json\" \\\n  -H \"Authorization: Bearer s3cr3t-7\" \\\n  \"https://x.test/user?per_page=50\"",
		`curl -X POST 'https://x.test/search' -H 'Authorization: Bearer '"s3cr3t-7"'' -H 'Content-Type: application/json' --data '{"a":{"b":"c"},"page_size":1}'`,
		`curl "https://x.test/logs?filter%5Bfrom%5D=1999&page%5Blimit%5D=1000" -H "API-KEY: s3cr3t-7"`,
		`$ curl -sSLk -XPOST https://u:s3cr3t-7@x.test/a/?b=1&c -d 'a=b' | jq .`,
		"curl 'https://x.test/' --data-raw $'{\"a\":\"it\\'s \\u0021\", \"token\": \"s3cr3t-7\"}' \\\n",
		`curl -G x.test --data-urlencode "q=a b" -d token=s3cr3t-7 -b a=b -A c -e d --oauth2-bearer s3cr3t-7 --json '{}'`,
		"T=$(curl x.test/token -d client_secret=s3cr3t-7 | jq -r .t); curl -H \"Authorization: Bearer $T\" x.test",
		"curl ^\"http://x.test/?token=s3cr3t-7^&a=^%^20^\" ^\r\n  -H ^\"a: b^\"",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, err := discover.Curl(text, func(string) string { return "value" })
		if err != nil {
			if strings.Contains(err.Error(), "s3cr3t-7") {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		got := a.Configuration(discover.Observed{DataField: "data", Pagination: `{"method": "pagenum"}`})
		if !json.Valid(got) {
			t.Errorf("%q became\n%s", text, got)
		}
	})
}

// none is an environment without variables.
func none(string) string { return "" }

func TestAHeaderOfAnyNameGoesIntoTheConfiguration(t *testing.T) {
	a, err := discover.Curl(`curl -u me:pw -H 'User: 7' http://x.test/`, none)
	if err != nil {
		t.Fatal(err)
	}
	got := string(a.Configuration(discover.Observed{}))
	for _, want := range []string{`"User": "7"`, `"Authorization": {`, `"attr": "#user"`} {
		if !strings.Contains(got, want) {
			t.Errorf("it lacks %s:\n%s", want, got)
		}
	}
}

// TestTheRulesOfCurl reads commands with the rules that people know from curl.
func TestTheRulesOfCurl(t *testing.T) {
	for _, c := range []struct{ command, want string }{
		{`curl -H 'X-A: 1' -H 'X-A: 2' x.test`, `"X-A": "1, 2"`},
		{`curl -b a=1 -b b=2 x.test`, "#cookie=a=1; b=2"},
		{`curl -d '' x.test/a`, `"method": "FORM"`},
		{`curl -G -d '' x.test/a`, `"endpoint": "a", "dataType"`},
		{`curl -u ann:pass x.test`, `{"function": "concat", "args": ["ann:", {"attr": "#password"}]}`},
		{`curl -u ann:x x.test`, `{"function": "concat", "args": [{"attr": "#user"}, ":", {"attr": "#password"}]}`},
		{`curl -u 9f86d081884c:api_token x.test`, `{"function": "concat", "args": [{"attr": "#user"}, ":", {"attr": "#password"}]}`},
		{`curl -u key-1: x.test`, `{"function": "concat", "args": [{"attr": "#user"}, ":"]}`},
		{`curl -u ann x.test`, "curl would ask for the password"},
		{`curl 'x.test/?page=[1-3]'`, "curl expands the brackets or braces in this address"},
		{`curl 'x.test/{a,b}'`, "curl expands the brackets or braces in this address"},
		{`curl -g 'x.test/?page=[1-3]'`, `"page": "[1-3]"`},
		{`curl 'x.test/?page[size]=3'`, `"page[size]": 3`},
		{`curl x.test/token -d grant_type=client_credentials`, "this asks for a token"},
		{`curl x.test/t -d client_assertion=eyJhbGciOiJQUzI1NiJ9.eyJpc3MiOiJhIn0.c2lnMQ`, `"client_assertion": {"attr": "#client_assertion"}`},
		{`curl x.test/bot12345:AAE-7fQ_x9LmN0pQrS/getUpdates`, `"args": ["", {"attr": "#path"}, "/getUpdates"]}, "id": "getUpdates"`},
		{`curl -H 'Referer: https://a.test/s/9f86d081884c7d659a2feaa0c55ad015/?b=1&token=a%2Bb' x.test`,
			`"args": ["https://a.test/s/", {"attr": "#path"}, "/?b=1&token=", {"attr": "#token"}]}`},
		{`curl -H 'Referer: https://a.test/?b=1&token=a%2Bb' x.test`, " #token=a%2Bb"},
		{`curl -H 'X-Callback: https://ann:pw-1@a.test/' x.test`,
			`["https://ann:", {"attr": "#password"}, "@a.test/"]`},
		{`curl -H 'X-Callback: https://a.test/#access_token=c' x.test`, `["https://a.test/#access_token=", {"attr": "#access_token"}]`},
		{`curl -H 'X-Callback: https://a.test/?u=https%3A%2F%2Fb.test%3Fsig%3Dc' x.test`, `["https://a.test/?u=", {"attr": "#u"}]`},
		{`curl -H 'Origin: https://a.test' -H 'Referer: https://a.test/b?page=2' x.test`,
			`"Origin": "https://a.test", "Referer": "https://a.test/b?page=2"`},
		{`curl 'http://x.test/?callback=https://b.test/?sig=c'`, `"callback": {"attr": "#callback"}`},
		{`curl 'x.test/?token=a&my-token=b' -H 'Token: c' -H 'X-Token: d'`, " #token=a #my-token=b #token2=c #token3=d"},
		{`curl -H 'X-Amz-Target: DynamoDB_20120810.ListTables' x.test`, `"X-Amz-Target": "DynamoDB_20120810.ListTables"`},
		{`curl --aws-sigv4 aws:amz:eu-west-1:dynamodb -u AKID:s3c3 x.test`,
			`"aws": {"signature": {"credentials": {"accessKeyId": {"attr": "#access_key_id"}, ` +
				`"#secretKey": {"attr": "#secret_access_key"}, "serviceName": "dynamodb", "regionName": "eu-west-1"}}}`},
		{`curl --aws-sigv4 aws:amz:eu-west-1:dynamodb -u AKID:s3c3 x.test`, " #access_key_id=AKID #secret_access_key=s3c3"},
		{`curl --aws-sigv4 aws:amz -u AKID:s3c3 https://sqs.eu-west-1.amazonaws.com/`, `"serviceName": "sqs", "regionName": "eu-west-1"`},
		{`curl --aws-sigv4 aws:amz:eu-west-1:dynamodb x.test`, "--aws-sigv4: the id of the key and its secret are missing"},
		{`curl --aws-sigv4 goog:goog:eu:storage -u a:b x.test`, "--aws-sigv4: want aws:amz:REGION:SERVICE"},
		{`T=$(curl --aws-sigv4 aws:amz -u a:b a.b.test); curl -H "Authorization: Bearer $T" x.test`, "a configuration cannot sign a login request"},
		{`curl x.test/` + strings.Repeat("a/", 40_000), "the address has 80007 bytes, and at most 65536 are allowed"},
		{`curl x.test/hooks/9f86d081884c7d659a2feaa0c55ad015`, `"id": "items", "dataType": "items"`},
	} {
		if got := become(c.command); !strings.Contains(got, c.want) {
			t.Errorf("%s: it lacks %s:\n%s", c.command, c.want, got)
		}
	}
}

// become is the configuration of a command on one line with its secrets behind it, or what is wrong.
func become(command string) string {
	a, err := discover.Curl(command, none)
	if err != nil {
		return err.Error()
	}
	text := strings.Join(strings.Fields(string(a.Configuration(discover.Observed{}))), " ")
	text = strings.NewReplacer("[ ", "[", " ]", "]", "{ ", "{", " }", "}").Replace(text)
	for _, s := range a.Secrets {
		text += " " + s.Name + "=" + s.Value
	}
	return text
}

func TestAQueryKeepsWhatIsNoParameter(t *testing.T) {
	for query, want := range map[string]string{
		"":                "a/b",
		"?n=1":            "a/b",
		"?flag":           "a/b?flag",
		"?flag&n=1":       "a/b?flag",
		"?id=1&n=2&id=3":  "a/b?id=1&id=3",
		"?n=1&what?":      "a/b?what?",
		"?n=1&token=s3c3": "a/b",
	} {
		a, err := discover.Curl("curl 'http://x.test/a/b"+query+"'", none)
		if err != nil {
			t.Errorf("%s: %v", query, err)
			continue
		}
		got := string(a.Configuration(discover.Observed{}))
		if !strings.Contains(got, `"endpoint": "`+want+`"`) {
			t.Errorf("%s: want the endpoint %s in\n%s", query, want, got)
		}
	}
}

func TestParametersStayInTheirPartOfTheRequest(t *testing.T) {
	for command, want := range map[string]string{
		`-X POST 'http://x.test/a?n=1&flag' -d '{"b":2}'`: `"endpoint":"a?flag","method":"POST","params":{"b":2},"query":{"n":1},`,
		`'http://x.test/a?token=s3c3' -d b=2`:             `"endpoint":"a","method":"FORM","params":{"b":2},"query":{"token":{"attr":"#token"}},`,
		`-X GET 'http://x.test/a?n=1' -d '{"b":2}'`:       `"endpoint":"a","query":{"n":1},"body":{"b":2},`,
		`-X GET http://x.test/a -d '{}'`:                  `"endpoint":"a","body":{},`,
		`http://x.test/a --json '{}'`:                     `"endpoint":"a","method":"POST","body":{},`,
		`-G 'http://x.test/a?n=1' -d b=2`:                 `"endpoint":"a","params":{"n":1,"b":2},`,
		`-X POST http://x.test/a`:                         `"endpoint":"a","method":"FORM","dataType"`,
	} {
		a, err := discover.Curl("curl "+command, none)
		if err != nil {
			t.Errorf("%s: %v", command, err)
			continue
		}
		var got bytes.Buffer
		_ = json.Compact(&got, a.Configuration(discover.Observed{}))
		if !strings.Contains(got.String(), want) {
			t.Errorf("%s: want %s in\n%s", command, want, &got)
		}
	}
	_, err := discover.Curl("curl -X GET http://x.test/a -d b=2", none)
	if err == nil || !strings.Contains(err.Error(), "give -G, which puts the fields into the address") {
		t.Errorf("got %v", err)
	}
}
