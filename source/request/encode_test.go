package request_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"sluice/pipeline/item"
	"sluice/source/request"
)

// query is what a GET of https://h/p asks for.
func query(t *testing.T, r request.Request) string {
	t.Helper()
	r.Method = request.Get
	r.URL = &url.URL{Scheme: "https", Host: "h", Path: "/p"}
	u, err := url.Parse(r.Address())
	if err != nil {
		t.Fatal(err)
	}
	return u.RawQuery
}

func TestAQueryIsSerialisedAsDecided(t *testing.T) {
	for name, c := range map[string]struct{ params, want string }{
		"none":                         {``, ``},
		"a string as it is":            {`a="b"`, `a=b`},
		"an empty string":              {`a=""`, `a=`},
		"a string is form encoded":     {`a="b c+d&e=f/g?[ü]"`, `a=b+c%2Bd%26e%3Df%2Fg%3F%5B%C3%BC%5D`},
		"a name is form encoded":       {`a b[c]="d"`, `a+b%5Bc%5D=d`},
		"escapes are read":             {`a="\u00fc\n\""`, `a=%C3%BC%0A%22`},
		"a number keeps its digits":    {`a=1.0`, `a=1.0`},
		"a long number too":            {`a=9223372036854775807123`, `a=9223372036854775807123`},
		"an exponent too":              {`a=1E+2`, `a=1E%2B2`},
		"a zero":                       {`a=0`, `a=0`},
		"true is 1":                    {`a=true`, `a=1`},
		"false is 0":                   {`a=false`, `a=0`},
		"null is left out":             {"a=null\nb=1", `b=1`},
		"an empty array is left out":   {"b=1\na=[]", `b=1`},
		"an empty object is left out":  {"a={}\nb=1\nc={}", `b=1`},
		"the text of null is not null": {`a="null"`, `a=null`},
		"an array":                     {`a=["x",2,true]`, `a%5B0%5D=x&a%5B1%5D=2&a%5B2%5D=1`},
		"an array with gaps":           {`a=[null,"x",[],""]`, `a%5B1%5D=x&a%5B3%5D=`},
		"an object, in order":          {`a={"z":1,"b":"c"}`, `a%5Bz%5D=1&a%5Bb%5D=c`},
		"an object with odd keys":      {`a={"x y":1,"[":2}`, `a%5Bx+y%5D=1&a%5B%5B%5D=2`},
		"nested":                       {`a=[{"b":[1,{"c":false}]}]`, `a%5B0%5D%5Bb%5D%5B0%5D=1&a%5B0%5D%5Bb%5D%5B1%5D%5Bc%5D=0`},
		"in their order":               {"z=1\na=2\nm=3", `z=1&a=2&m=3`},
	} {
		t.Run(name, func(t *testing.T) {
			if got := query(t, request.Request{Params: params(c.params)}); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestParametersStandInTheOrderOfTheirSources(t *testing.T) {
	for name, c := range map[string]struct{ endpoint, params, login, want string }{
		"endpoint, parameters, login":                     {`e=1`, "p=2\nq=3", `l=4`, `e=1&p=2&q=3&l=4`},
		"the endpoint as it stands":                       {`e=%2f+x&flag`, `p=1`, ``, `e=%2f+x&flag&p=1`},
		"a parameter overrides the endpoint in its place": {`a=1&e=2&b=3`, `e=9`, ``, `a=1&e=9&b=3`},
		"an overridden name that stands twice":            {`e=1&a=2&e=3`, `e=9`, ``, `e=9&a=2`},
		"an overridden array of the endpoint":             {`e[]=1&e[]=2&a=3`, `e=[7,8]`, ``, `e%5B0%5D=7&e%5B1%5D=8&a=3`},
		"overridden by what is left out":                  {`e=1&a=2`, `e=null`, ``, `a=2`},
	} {
		t.Run(name, func(t *testing.T) {
			got := query(t, request.Request{Endpoint: request.ParseQuery(c.endpoint), Params: params(c.params), Login: params(c.login)})
			if got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// docs/specification.md, authentication, rule 7; equal values are sent twice, and what is left out makes no pair.
func TestLoginParametersPairWithWhatStandsThere(t *testing.T) {
	for name, c := range map[string]struct{ endpoint, params, login, want string }{
		"a name of its own is plain": {``, `a=1`, `l="x"`, `a=1&l=x`},
		"a pair":                     {``, `a=1`, `a="x"`, `a[0]=1&a[1]=x`},
		"equal values twice":         {``, `a="x"`, `a="x"`, `a[0]=x&a[1]=x`},
		"pairs behind the plain ones, in the order of the login": {``, "a=1\nb=2\nc=3", "c=7\nl=8\na=9", `b=2&l=8&c[0]=3&c[1]=7&a[0]=1&a[1]=9`},
		"with the endpoint":                    {`a=1&e=2`, ``, `a=9`, `e=2&a[0]=1&a[1]=9`},
		"the endpoint's escapes stay":          {`a=%2f+x`, ``, `a=9`, `a[0]=%2f+x&a[1]=9`},
		"with a flag of the endpoint":          {`a`, ``, `a=9`, `a[0]&a[1]=9`},
		"with an array of the endpoint":        {`a[]=1&a[]=2&e=3`, ``, `a=9`, `e=3&a[0][]=1&a[0][]=2&a[1]=9`},
		"with a member of the endpoint":        {`a[k]=1`, ``, `a=9`, `a[0][k]=1&a[1]=9`},
		"with what overrides the endpoint":     {`a=1`, `a=2`, `a=9`, `a[0]=2&a[1]=9`},
		"an array that was there":              {``, `a=[1,2]`, `a=9`, `a[0][0]=1&a[0][1]=2&a[1]=9`},
		"an object that was there":             {``, `a={"k":1}`, `a=9`, `a[0][k]=1&a[1]=9`},
		"an array from the login":              {``, `a=1`, `a=[8,{"k":9}]`, `a[0]=1&a[1][0]=8&a[1][1][k]=9`},
		"an empty string that was there":       {``, `a=""`, `a=9`, `a[0]=&a[1]=9`},
		"an empty string from the login":       {``, `a=1`, `a=""`, `a[0]=1&a[1]=`},
		"null that was there":                  {``, "a=null\nb=1", `a=9`, `b=1&a=9`},
		"an empty array that was there":        {``, `a=[]`, `a=9`, `a=9`},
		"an empty object that was there":       {``, `a={}`, `a=9`, `a=9`},
		"an array of nothing that was there":   {``, `a=[null,[]]`, `a=9`, `a=9`},
		"null from the login":                  {``, `a=1`, `a=null`, `a=1`},
		"nothing from the login but of a pair": {``, "a=1\nb=2", "b=[]\na=9", `b=2&a[0]=1&a[1]=9`},
		"a longer name is another":             {``, `ab=1`, `a=9`, `ab=1&a=9`},
	} {
		t.Run(name, func(t *testing.T) {
			got := query(t, request.Request{Endpoint: request.ParseQuery(c.endpoint), Params: params(c.params), Login: params(c.login)})
			brackets := strings.NewReplacer("%5B", "[", "%5D", "]") // for the eye
			if got := brackets.Replace(got); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// FuzzQuery encodes scalar parameters and reads them back as a server does.
func FuzzQuery(f *testing.F) {
	f.Add("a", "b", "c", "d")
	f.Add("a b", "c+d", "e&f=g", "h;i%20")
	f.Add("list[]", "", "ü😀", "\x00\xff")
	f.Add("", "=", "#", "?")
	f.Fuzz(func(t *testing.T, name1, text1, name2, text2 string) {
		if name1 == name2 {
			return
		}
		sent := request.Params{quoted(name1, text1), quoted(name2, text2)}
		got, err := url.ParseQuery(query(t, request.Request{Params: sent}))
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range sent {
			if want := item.Unquote(q.Value); !slices.Equal(got[q.Name], []string{want}) {
				t.Errorf("%q: got %q, want %q", q.Name, got[q.Name], want)
			}
		}
	})
}

// FuzzEndpointQuery sends the query of an endpoint, whatever it is, so that it
// can stand in a request line and means the same.
func FuzzEndpointQuery(f *testing.F) {
	f.Add("a=1&b=2")
	f.Add("a=1#b")
	f.Add("q=a b&x=100%&y=%2f")
	f.Add("ü=\"<>\"&list[]=;")
	f.Fuzz(func(t *testing.T, raw string) {
		got := query(t, request.Request{Endpoint: request.ParseQuery(raw)})
		for i := range len(got) {
			if got[i] <= ' ' || got[i] >= 0x7f {
				t.Fatalf("%q has %q", got, got[i])
			}
		}
		want, err := url.ParseQuery(raw)
		if err != nil {
			return
		}
		read, err := url.ParseQuery(got)
		if err != nil || read.Encode() != want.Encode() {
			t.Errorf("%q was sent as %q: %v", raw, got, err)
		}
	})
}
