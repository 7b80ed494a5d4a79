package secret_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"strings"
	"testing"

	"sluice/pipeline/secret"
)

func secrets(values ...string) *secret.Set {
	s := &secret.Set{}
	s.Add(values...)
	return s
}

func TestRedactReplacesEveryForm(t *testing.T) {
	for name, c := range map[string]struct{ secret, text, want string }{
		"plain":                      {"hunter2", "password hunter2!", "password [secret]!"},
		"twice":                      {"hunter2", "hunter2hunter2", "[secret][secret]"},
		"at the ends":                {"hunter2", "hunter2 and hunter2", "[secret] and [secret]"},
		"with blanks in a query":     {"a b&c/d", "?k=a+b%26c%2Fd&x=1", "?k=[secret]&x=1"},
		"in a path":                  {"a b/ü", "/a%20b%2F%C3%BC/x", "/[secret]/x"},
		"in a path as Python has it": {"a/b+c=", "/a/b%2Bc%3D/x", "/[secret]/x"},
		"with lower-case escapes":    {"a/b+ü", "?k=a%2fb%2b%c3%bc", "?k=[secret]"},
		"as RFC 3986 has it":         {"a b&c/d", "a%20b%26c%2Fd", "[secret]"},
		"as scripts have it":         {"a b&c!'()*", "a%20b%26c!'()*", "[secret]"},
		"JSON escaped":               {"a\"b\\c\n", `{"k":"a\"b\\c\n"}`, `{"k":"[secret]"}`},
		"JSON escaped as Go does":    {"<a&b>", `{"k":"\u003ca\u0026b\u003e"}`, `{"k":"[secret]"}`},
		"JSON with plain signs":      {"<a&b>", `{"k":"<a&b>"}`, `{"k":"[secret]"}`},
		"JSON with escaped slashes":  {"a/b/c=", `{"k":"a\/b\/c="}`, `{"k":"[secret]"}`},
		"JSON in ASCII":              {"pässwört", `{"k":"p\u00e4ssw\u00f6rt"}`, `{"k":"[secret]"}`},
		"JSON with surrogates":       {"key😀", `{"k":"key\ud83d\ude00"}`, `{"k":"[secret]"}`},
		"HTML":                       {`a&b<"c'>`, "<b>a&amp;b&lt;&#34;c&#39;&gt;</b>", "<b>[secret]</b>"},
		"HTML with names":            {`a&b<"c'>`, "a&amp;b&lt;&quot;c&apos;&gt;", "[secret]"},
		"HTML of a careful server":   {"ab+/cd==;", "ab&#43;&#x2F;cd&#x3D;&#x3d;&#59;;", "[secret];"},
		"HTML that is none":          {"ab;cd", "&ab;cd &;", "&[secret] &;"},
		"base64 with padding":        {"hunter2", "Basic aHVudGVyMg==", "Basic [secret]=="},
		"base64 with its own signs":  {"\xfb\xff\xfe\xfb", "+//++w", "[secret]"},
		"base64 for URLs":            {"\xfb\xff\xfe\xfb", "-__--w", "[secret]"},
		"base64 in a query":          {"\xfb\xff\xfe\xfb", "?k=%2B%2F%2F%2B%2Bw%3D%3D", "?k=[secret]%3D%3D"},
		"escaped itself":             {"tok%2Fabc", "tok/abc, tok%2Fabc, tok%2fabc, tok%252Fabc", "[secret], [secret], [secret], [secret]"},
		"escaped itself, twice":      {"tok%252Fabc", "tok/abc, tok%2fabc", "[secret], [secret]"},
		"escaped, in base64":         {"tok%2Fabc", "dG9rL2FiYw==", "[secret]=="},
		"too short without escapes":  {"%61b", "ab %61b", "ab [secret]"},
		"the shortest":               {"abcd", "xabcdx", "x[secret]x"},
		"too short":                  {"abc", "abc ", "abc "},
		"a part of the replacement":  {"secret", "the secret is [secret]", "the [secret] is [secret]"},
		"nothing to be found":        {"hunter2", "hunter3", "hunter3"},
		"a text shorter than any":    {"hunter2", "hun", "hun"},
		"an empty text":              {"hunter2", "", ""},
		"a beginning without an end": {"hunter2", "hunter hunt", "hunter hunt"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := secrets(c.secret).Redact(c.text); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestRedactFindsWhatIsEscapedUpToThreeTimes(t *testing.T) {
	escapes := map[string]func(string) string{
		"query": url.QueryEscape,
		"path":  url.PathEscape,
		"lower": func(v string) string { return strings.ReplaceAll(strings.ToLower(url.QueryEscape(v)), "%2b", "%2B") },
		"all": func(v string) string {
			var b strings.Builder
			for i := range len(v) {
				fmt.Fprintf(&b, "%%%02x", v[i])
			}
			return b.String()
		},
		"json": func(v string) string { text, _ := json.Marshal(v); return string(text[1 : len(text)-1]) },
		"html": html.EscapeString,
		"php":  func(v string) string { return strings.ReplaceAll(v, "/", `\/`) },
	}
	const value = "p4ss /+ü\"w%rd\\" // has something for each of them
	s := secrets(value)
	hidden := func(name, text string) {
		t.Helper()
		if got := s.Redact("?self=" + text + "&x=1"); got != "?self=[secret]&x=1" {
			t.Errorf("%s: %s", name, got)
		}
	}
	for one, first := range escapes {
		hidden(one, first(value))
		for two, second := range escapes {
			hidden(one+" "+two, second(first(value)))
			for three, third := range escapes {
				hidden(one+" "+two+" "+three, third(second(first(value))))
			}
		}
	}
}

func TestRedactFindsBase64OfAddresses(t *testing.T) {
	const value = "p4ss/+w rd"
	for _, escape := range []func(string) string{url.QueryEscape, url.PathEscape} {
		for before := range 3 {
			link := strings.Repeat("x", before) + "https://api.example.com/?k=" + escape(value) + "&y=1"
			text := url.QueryEscape(base64.StdEncoding.EncodeToString([]byte(link)))
			if got := secrets(value).Redact(text); !strings.Contains(got, secret.Hidden) {
				t.Errorf("%s became %s", link, got)
			}
		}
	}
}

func TestRedactFindsBase64WhereverItBegins(t *testing.T) {
	for _, value := range []string{"abcd", "hunter2", "a longer secret", "\xff\xfe\xfd\xfc\xfb"} {
		for before := range 4 {
			for after := range 4 {
				for _, enc := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
					text := enc.EncodeToString([]byte(strings.Repeat("x", before) + value + strings.Repeat("y", after)))
					if got := secrets(value).Redact(text); !strings.Contains(got, secret.Hidden) {
						t.Errorf("%q with %d bytes before and %d behind: got %s", value, before, after, got)
					}
				}
			}
		}
	}
}

func TestRedactLeavesNoEndOfSecretsThatOverlap(t *testing.T) {
	for name, c := range map[string]struct {
		secrets    []string
		text, want string
	}{
		"one within the other":        {[]string{"pass", "password"}, "my password.", "my [secret]."},
		"within, other order":         {[]string{"password", "pass"}, "my password.", "my [secret]."},
		"the later one longer":        {[]string{"abcd", "cdefgh"}, "-abcdefgh-", "-[secret]-"},
		"a chain":                     {[]string{"abcd", "defg", "ghij"}, "-abcdefghij-", "-[secret]-"},
		"one after the other":         {[]string{"abcd", "efgh"}, "-abcdefgh-", "-[secret][secret]-"},
		"with itself":                 {[]string{"abab"}, "-ababab-", "-[secret]-"},
		"with what stands for one":    {[]string{"secret]x"}, "[secret]xyz", "[secret]yz"},
		"inside what encloses both":   {[]string{"bcde", "abcdefg"}, "abcdefg", "[secret]"},
		"the longer one is not whole": {[]string{"abcd", "abcdefg"}, "abcdef", "[secret]ef"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := secrets(c.secrets...).Redact(c.text); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestRedactAgainChangesNothing(t *testing.T) {
	s := secrets("secret", "hunter2")
	once := s.Redact("secret hunter2 [secret]")
	if twice := s.Redact(once); twice != once {
		t.Errorf("%s became %s", once, twice)
	}
}

func TestTheLast64SessionsAreSecret(t *testing.T) {
	s := secrets("for good")
	session := func(i int) string { return fmt.Sprintf("session-%03d", i) }
	for i := range 66 {
		s.AddSession(session(i), "x")
		s.AddSession(session(i), "x") // the same once more is none
	}
	for i, known := range map[int]bool{0: false, 1: false, 2: true, 65: true} {
		if got := s.Redact(session(i)); (got == secret.Hidden) != known {
			t.Errorf("session %d: got %s", i, got)
		}
	}
	if got := s.Redact("for good"); got != secret.Hidden {
		t.Errorf("what was added for the whole run: got %s", got)
	}
}

func TestATextAddedLaterIsSecretFromThenOn(t *testing.T) {
	s := secrets("first")
	if got := s.Redact("first later"); got != "[secret] later" {
		t.Errorf("before: %s", got)
	}
	s.Add("later")
	if got := s.Redact("first later"); got != "[secret] [secret]" {
		t.Errorf("after: %s", got)
	}
}

func TestNoSecretsKnowNothing(t *testing.T) {
	var s *secret.Set
	if got := s.Redact("text"); got != "text" {
		t.Errorf("got %s", got)
	}
}

func TestSecretsMayBeSharedByGoroutines(t *testing.T) {
	s := secrets("hunter2")
	done := make(chan string)
	for i := range 4 {
		go func() {
			s.AddSession(fmt.Sprint("session-", i))
			done <- s.Redact("hunter2")
		}()
	}
	for range 4 {
		if got := <-done; got != secret.Hidden {
			t.Errorf("got %s", got)
		}
	}
}

// FuzzRedact hides a secret in every form that this program writes, and looks
// for it in what is left.
func FuzzRedact(f *testing.F) {
	f.Add("hunter2", "other", "user hunter2 ", " and the rest")
	f.Add("a b&c/d", "b&c/d e", "?x=a+b%26c%2Fd+e", "")
	f.Add("secret", "cret]", "[secret", "]")
	f.Add("ababab", "baba", "ab", "ab")
	f.Add("\xff\"\\\n", "ü😀ü", "\xff", "\xfe")
	f.Fuzz(func(t *testing.T, one, two, before, after string) {
		s := secrets(one, two)
		escaped, _ := json.Marshal(one)
		inBase64 := base64.StdEncoding.EncodeToString([]byte(before + one + after))
		for _, text := range []string{
			before + one + after + two,
			before + two + one + after,
			url.QueryEscape(before) + url.QueryEscape(one) + after,
			before + string(escaped) + after,
			before + url.QueryEscape(url.QueryEscape(url.PathEscape(one))) + after,
			base64.StdEncoding.EncodeToString([]byte(one)),
			inBase64,
		} {
			redacted := s.Redact(text)
			for _, value := range []string{one, two} {
				if len(value) < 4 {
					continue
				}
				for _, shown := range strings.Split(redacted, secret.Hidden) {
					if strings.Contains(shown, value) {
						t.Errorf("%q shows %q of %q", redacted, value, text)
					}
				}
			}
		}
		if len(one) >= 4 && s.Redact(inBase64) == inBase64 {
			t.Errorf("%q stands in %q", one, inBase64)
		}
	})
}

func BenchmarkRedact(b *testing.B) {
	s := secrets("hunter2", "a longer secret of thirty bytes")
	for i := range 64 {
		s.AddSession(fmt.Sprintf("%032d", i))
	}
	text := "GET https://api.example.com/v1/users?limit=1000&offset=200000&token=" + fmt.Sprintf("%032d", 63)
	b.ReportAllocs()
	for b.Loop() {
		s.Redact(text)
	}
}

// A secret is hidden in the forms in which programs send it back, too.
func TestSignaturesAndSessionsDoNotDriveEachOtherOut(t *testing.T) {
	s := secrets()
	s.AddSession("session-0")
	for i := range 65 {
		s.AddSignature(fmt.Sprintf("signature-%02d", i), "the same")
		s.AddSignature(fmt.Sprintf("signature-%02d", i), "the same")
	}
	for text, want := range map[string]string{
		"session-0": secret.Hidden, "signature-00": "signature-00", "signature-01": secret.Hidden, "signature-64": secret.Hidden, "the same": secret.Hidden,
	} {
		if got := s.Redact(text); got != want {
			t.Errorf("%s became %s", text, got)
		}
	}
}

func TestSignaturesOfAllRequestsInFlightAreKnown(t *testing.T) {
	s := secrets()
	s.KeepSignatures(100)
	for i := range 101 {
		s.AddSignature(fmt.Sprintf("signature-%03d", i))
	}
	for text, want := range map[string]string{"signature-000": "signature-000", "signature-001": secret.Hidden} {
		if got := s.Redact(text); got != want {
			t.Errorf("%s became %s", text, got)
		}
	}
}

func ExampleSet() {
	var secrets secret.Set
	secrets.Add("p@ss/word")
	fmt.Println(secrets.Redact("GET https://api.example.com/users?key=p%40ss%2Fword"))
	fmt.Println(secrets.Redact(`400 Bad Request: {"key": "p@ss\/word"}`))
	// Output:
	// GET https://api.example.com/users?key=[secret]
	// 400 Bad Request: {"key": "[secret]"}
}
