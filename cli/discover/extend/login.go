package extend

import (
	"slices"
	"strings"

	"sluice/pipeline/secret"
)

// logIn compares how the request and the file log in. What is the same is left to the file.
func (a *addition) logIn() error {
	if err := a.sameLogin(); err != nil {
		return err
	}
	var others []header
	isCovered := a.own.at("api", "authentication") != nil || a.own.at("api", "aws") != nil
	sent := append(membersOf(a.own.at("api", "http"), "headers"),
		membersOf(a.own.at("api", "http", "defaultOptions"), "headers")...)
	for _, m := range sent {
		there := a.headerOf(m.name)
		attributes := m.attributes()
		isSecret := len(attributes) > 0 || isLogin(m.name)
		switch {
		case there == nil && a.isSigned(m.name):
			if err := a.sameScheme(m, a.signedBy(m.name)); err != nil {
				return err
			}
			a.cover(m.placedValue, a.signedBy(m.name))
			isCovered = true
		case there == nil && isSecret && a.isOfJobs(m):
			a.headers = append(a.headers, header{m.name, m.placedValue})
			isCovered = true
		case there == nil && isSecret:
			others = append(others, header{m.name, m.placedValue})
		case there == nil:
			a.headers = append(a.headers, header{m.name, m.placedValue})
		case isSecret:
			if err := a.sameScheme(m, there); err != nil {
				return err
			}
			a.cover(m.placedValue, there)
			isCovered = true
		case !m.is(there):
			a.headers = append(a.headers, header{m.name, m.placedValue})
		}
	}
	for _, h := range others {
		if !isCovered || isLogin(h.name) {
			return loginErrorf("%s has the header %s, and %s: make a file of its own with -o",
				a.subject(), h.name, a.howFileLogsIn())
		}
		a.headers = append(a.headers, h)
	}
	isOpen := !isCovered && len(a.signing) == 0
	if isOpen && (a.IsDescribed || len(a.jobs[0].attributes()) == 0) && a.hasLogin() {
		a.say("%s has no login, and gets that of %s", a.subject(), a.name)
	}
	return nil
}

// isOfJobs tells whether a job of the file has such a header itself. The new job refers to the attributes of that one.
func (a *addition) isOfJobs(m treeMember) bool {
	for _, j := range a.jobsOfFile {
		there := named(j.at("headers"), m.name)
		names, own := there.attributes(), m.attributes()
		if there == nil || len(names) != len(own) || !strings.EqualFold(scheme(there), scheme(m.placedValue)) {
			continue
		}
		for i, name := range own {
			a.renamed[name] = names[i]
		}
		return true
	}
	return false
}

// isLogin tells whether a header is one by which requests log in.
func isLogin(name string) bool {
	return strings.EqualFold(name, "Authorization") || strings.EqualFold(name, "Cookie")
}

// sameLogin refuses a login request, or a signature of AWS, that the file has not.
func (a *addition) sameLogin() error {
	own, there := a.own.at("api", "authentication"), a.top.at("api", "authentication")
	switch {
	case own.at("loginRequest") != nil:
		if err := a.sameToken(own, there); err != nil {
			return err
		}
	case own.at("type").text() == "basic" && !a.isBasic():
		return loginErrorf("%s logs in by basic, and %s: make a file of its own with -o", a.subject(),
			a.howFileLogsIn())
	}
	aws := a.own.at("api", "aws", "signature", "credentials")
	if aws == nil {
		return nil
	}
	thereAWS := a.top.at("api", "aws", "signature", "credentials")
	if thereAWS == nil {
		thereAWS = a.root.at("aws", "signature", "credentials")
	}
	if thereAWS == nil {
		return loginErrorf("the request is signed for AWS, and %s", a.howFileLogsIn())
	}
	for _, name := range []string{"serviceName", "regionName"} {
		if text, missing := a.plain(thereAWS.at(name)); missing == "" && text != aws.at(name).text() {
			return loginErrorf("the request is signed with %s %s, and that of %s is %s", name,
				aws.at(name).text(), a.name, text)
		}
	}
	a.cover(aws.at("accessKeyId"), thereAWS.at("accessKeyId"))
	a.cover(aws.at("#secretKey"), thereAWS.at("#secretKey"))
	return nil
}

// sameToken refuses a login request that asks elsewhere for a token than that of the file.
func (a *addition) sameToken(own, there *placedValue) error {
	ownAt := a.loginAddress(own, a.base, a.ownGiven)
	base, _ := a.plain(a.top.at("api", "baseUrl"))
	if thereAt := a.loginAddress(there, base, a.given); ownAt != thereAt {
		who := "the first command"
		if a.IsDescribed {
			who = a.subject()
		}
		return loginErrorf("%s asks %s for a token, and %s", who, ownAt, a.howFileLogsIn())
	}
	a.cover(own.at("loginRequest"), there.at("loginRequest"))
	for _, name := range own.attributes() {
		a.covered[name] += ""
	}
	return nil
}

// isBasic tells whether the file sends user name and password with every request.
func (f *ConfigFile) isBasic() bool {
	return f.top.at("api", "authentication", "type").text() == "basic" ||
		strings.EqualFold(scheme(f.headerOf("Authorization")), "basic")
}

// signByParameters makes the parameters of the query that sign the requests of the addition those of its jobs.
func (a *addition) signByParameters() {
	sent := append(membersOf(a.own.at("api", "authentication"), "query"),
		membersOf(a.own.at("api", "http", "defaultOptions"), "params")...)
	for _, j := range a.jobs {
		for _, m := range sent {
			j.addMember(inQuery(j), m)
		}
	}
	for _, m := range sent {
		a.signing = append(a.signing, m.name)
	}
}

// addMember adds a member to the object of a name, which is made where there is none.
func (v *placedValue) addMember(of string, m treeMember) {
	object := v.at(of)
	if object == nil {
		object = &placedValue{kind: '{'}
		v.members = append(v.members, treeMember{name: of, placedValue: object})
	}
	object.members = append(object.members, m)
}

// refuseUnsigned refuses a parameter that signs requests, and that neither the file nor a job of it has.
func (a *addition) refuseUnsigned() error {
	for _, name := range a.signing {
		isThere := slices.Contains(a.dropped, name) ||
			slices.ContainsFunc(a.jobsOfFile, func(j *placedValue) bool { return inParts(j, name) != nil })
		if !isThere {
			return loginErrorf("%s has the parameter %s, and %s: make a file of its own with -o",
				a.subject(), name, a.howFileLogsIn())
		}
	}
	return nil
}

// loginAddress is where a login request goes, without its query.
func (a *addition) loginAddress(authentication *placedValue, base string, given func(string) *placedValue) string {
	endpoint := authentication.at("loginRequest", "endpoint")
	if endpoint == nil {
		return ""
	}
	text, _ := plain(endpoint, given)
	at, _, _ := strings.Cut(absolute(base, text), "?")
	return at
}

// headerOf is a header that the file sends with every request; nil: it does not.
func (f *ConfigFile) headerOf(name string) *placedValue {
	for _, headers := range f.headersOfAll() {
		if v := named(headers, name); v != nil {
			return v
		}
	}
	return nil
}

// headersOfAll are the objects of headers that go with every request, the strongest first; nil: there is none of that kind.
func (f *ConfigFile) headersOfAll() []*placedValue {
	return []*placedValue{
		f.top.at("api", "http", "defaultOptions", "headers"),
		f.top.at("config", "http", "headers"),
		f.top.at("api", "http", "headers"),
	}
}

// isSigned tells whether the authentication of the file makes a header.
func (f *ConfigFile) isSigned(name string) bool {
	kind := f.top.at("api", "authentication", "type").text()
	isAuthorization := strings.EqualFold(name, "Authorization")
	return f.signedBy(name) != nil || isAuthorization && (kind == "basic" || kind == "oauth10")
}

// signedBy is what the authentication of the file makes a header of; nil: it is not known, or it makes none.
func (f *ConfigFile) signedBy(name string) *placedValue {
	authentication := f.top.at("api", "authentication")
	if v := named(authentication.at("apiRequest", "headers"), name); v != nil {
		return v
	}
	return named(authentication.at("headers"), name)
}

// sameScheme refuses a header that begins with another word than that of the file, or names another user.
func (a *addition) sameScheme(own treeMember, there *placedValue) error {
	ownScheme := strings.ToLower(scheme(own.placedValue))
	thereScheme := strings.ToLower(scheme(there))
	kind := a.top.at("api", "authentication", "type").text()
	if there == nil && kind == "basic" {
		thereScheme = "basic"
	}
	if ownScheme != "" && thereScheme != "" && ownScheme != thereScheme {
		return loginErrorf("the header %s of %s begins with %s, and that of %s with %s", own.name,
			a.subject(), scheme(own.placedValue), a.name, thereScheme)
	}
	if ownScheme != "basic" {
		return nil
	}
	user, _ := a.user(own.placedValue)
	thereUser, isKnown := a.user(there)
	if there == nil {
		thereUser, isKnown = a.given("username").text(), a.given("username") != nil
	}
	if user != "" && isKnown && user != thereUser {
		return loginErrorf("the user of %s is another one than that of %s", a.subject(), a.name)
	}
	return nil
}

// scheme is the word that a header begins with; empty: it is not known.
func scheme(v *placedValue) string {
	if v == nil {
		return ""
	}
	first := v.pieces()[0]
	if first.kind != '"' {
		return ""
	}
	word, _, isWord := strings.Cut(first.text(), " ")
	if !isWord {
		return ""
	}
	return word
}

// user is that of a header of basic authentication, which is made of text.
func (a *addition) user(v *placedValue) (name string, isKnown bool) {
	if v == nil {
		return "", false
	}
	for _, piece := range v.pieces() {
		args := piece.at("args")
		if piece.at("function").text() != "base64_encode" || args == nil || len(args.elems) == 0 {
			continue
		}
		text := ""
		for _, part := range args.elems[0].pieces() {
			known := part.text()
			if attribute := part.attribute(); attribute != "" {
				known = a.values[attribute]
				if there := a.given(attribute); there != nil {
					known = there.text()
				}
			}
			text += known
			if name, _, found := strings.Cut(text, ":"); found {
				return name, name != ""
			}
			if known == "" {
				return "", false
			}
		}
	}
	return "", false
}

// cover leaves the attributes of a value to what stands in the same place of the file, in their order.
func (a *addition) cover(own, there *placedValue) {
	if own == nil {
		return
	}
	names := there.attributes()
	if there == nil {
		names = a.implied()
		names = names[max(0, len(names)-len(own.attributes())):]
	}
	for i, name := range own.attributes() {
		a.covered[name] = ""
		// A file that has the whole in one attribute, or sets none, needs a value that is not known here.
		if len(names) == len(own.attributes()) && (there == nil || scheme(own) == scheme(there)) {
			a.covered[name] = names[i]
		}
	}
}

// implied are the attributes that the authentication of the file takes without a reference.
func (f *ConfigFile) implied() []string {
	if f.top.at("api", "authentication", "type").text() != "basic" {
		return nil
	}
	return []string{"username", "#password"}
}

// hasLogin tells whether the file logs in.
func (f *ConfigFile) hasLogin() bool { return f.login() != "" }

// howFileLogsIn says how the file does.
func (f *ConfigFile) howFileLogsIn() string {
	login := f.login()
	if login == "" {
		return f.name + " has no login"
	}
	return f.name + " " + login
}

// login is what the file does to log in; empty: nothing.
func (f *ConfigFile) login() string {
	authentication := f.top.at("api", "authentication")
	switch {
	case authentication.at("loginRequest") != nil:
		return "logs in by a request (" + authentication.at("type").text() + ")"
	case authentication != nil:
		return "logs in by " + authentication.at("type").text()
	case f.top.at("api", "aws") != nil || f.root.at("aws") != nil:
		return "signs for AWS"
	}
	for _, headers := range f.headersOfAll() {
		if headers == nil {
			continue
		}
		for _, m := range headers.members {
			if isLogin(m.name) || secret.Name(m.name) || slices.ContainsFunc(m.attributes(), isSecretName) {
				return "logs in by the header " + m.name
			}
		}
	}
	return ""
}

func isSecretName(name string) bool { return strings.HasPrefix(name, "#") }
