package cli

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sluice/pipeline"
	"sluice/pipeline/secret"
	"sluice/source"
	"sluice/source/config"
)

// masks are stand-ins for what a plan must not show or cannot know: texts of
// letters and digits, which every encoding leaves as they are, so that they are
// found again in the finished request.
type masks struct {
	secrets   *secret.Set // of the configuration as it is
	all       []mask
	variables []*variable
}

// mask is what the shell puts in the place of a stand-in.
type mask struct {
	variable *variable
	command  func(word func(text string) string) string // instead of a variable; word makes a word of the shell
	number   bool                                       // in JSON it is a number
}

// variable is one of the shell.
type variable struct {
	Name string `json:"name"` // empty until it is known where it stands
	From string `json:"from"`
	Path string `json:"path,omitempty"` // in the answer to the login request

	Filter string `json:"filter,omitempty"` // takes the value out of that answer; empty: it is all of it
	key    string // the same for the same value
	item   bool   // it comes from an item
}

var stand = regexp.MustCompile(`qzxmask(\d+)maskzxq`)

// add makes a stand-in.
func (m *masks) add(k mask) string {
	m.all = append(m.all, k)
	return fmt.Sprintf("qzxmask%dmaskzxq", len(m.all)-1)
}

// of returns the mask of a stand-in.
func (m *masks) of(text string) *mask {
	i, err := strconv.Atoi(stand.FindStringSubmatch(text)[1])
	if err != nil || i >= len(m.all) { // the configuration has such a text itself
		return &mask{command: func(func(string) string) string { return "printf %s " + text }}
	}
	return &m.all[i]
}

// variable returns the variable of a value, which is called like name unless that
// name is taken.
func (m *masks) variable(key, name, from string) *variable {
	for _, v := range m.variables {
		if v.key == key {
			return v
		}
	}
	v := &variable{Name: m.free(name), From: from, key: key}
	m.variables = append(m.variables, v)
	return v
}

// taken are names that mean something to the shell or to programs that it starts.
var taken = []string{
	"CDPATH", "COLUMNS", "DISPLAY", "EDITOR", "ENV", "EUID", "HOME", "HOST", "HOSTNAME", "IFS", "LANG", "LINES", "LOGNAME",
	"MAIL", "OPTARG", "OPTIND", "PATH", "PPID", "PWD", "RANDOM", "SECONDS", "SHELL", "TERM", "TZ", "UID", "USER", "USERNAME",
}

// free returns a name for the shell that looks like name.
func (m *masks) free(name string) string {
	base := strings.ToUpper(strings.ReplaceAll(pipeline.FileName(name), "-", "_"))
	if c := base[0]; c >= '0' && c <= '9' || slices.Contains(taken, base) {
		base = "API_" + base
	}
	free := base
	for k := 2; slices.ContainsFunc(m.variables, func(v *variable) bool { return v.Name == free }); k++ {
		free = fmt.Sprintf("%s_%d", base, k)
	}
	return free
}

// attribute stands in for a secret of the configuration; see [config.Mask].
func (m *masks) attribute(path string, n *config.Node) string {
	last := path[strings.LastIndexByte(path, '.')+1:]
	v := m.variable("value "+n.Text(), last, path)
	return m.add(mask{variable: v, number: n.Kind == '0'})
}

// show is what [source.Source.Plan] wants.
func (m *masks) show(v source.Value) string {
	switch v.Place {
	case source.Response, source.Maybe:
		from := "at " + v.Name + " in the login response"
		if v.Place == source.Maybe {
			from += ", or the text " + strconv.Quote(v.Name) + " if there is nothing"
		}
		variable := m.variable("response "+v.Name, "LOGIN_"+v.Name, from)
		variable.Path = v.Name
		return m.add(mask{variable: variable})
	case source.Item:
		from := "at " + v.Name + " in an item of " + v.Job
		if v.Made != "" {
			from = "what the function of the placeholder " + v.Made + " makes of the value " + from
		}
		variable := m.variable("item "+from, "PARENT_"+v.Name, from)
		variable.item = true
		return m.add(mask{variable: variable})
	}
	place := map[source.Place]string{source.Header: "the header ", source.Param: "the parameter ", source.Path: "the "}[v.Place] + v.Name
	if stand.MatchString(v.Text) {
		m.name(v.Text, v.Name, place)
		if !m.tells(v.Text) {
			return v.Text
		}
	}
	if coded, ok := m.coded(v.Text); ok {
		m.name(coded, v.Name, place)
		return coded
	}
	if v.Text == "" || !v.Secret && m.secrets.Redact(v.Text) == v.Text {
		return v.Text
	}
	return m.add(mask{variable: m.variable("value "+v.Text, v.Name, place), number: v.Number})
}

// tells tells whether there is a secret in text beside its stand-ins.
func (m *masks) tells(text string) bool {
	rest := stand.ReplaceAllString(text, " ")
	return m.secrets.Redact(rest) != rest
}

// name gives the variables without a name in text that of the place.
func (m *masks) name(text, name, place string) {
	for _, found := range stand.FindAllString(text, -1) {
		switch k := m.of(found); {
		case k.command != nil:
			k.command(func(inner string) string {
				m.name(inner, name, place)
				return ""
			})
		case k.variable.Name == "":
			k.variable.Name, k.variable.From = m.free(name), place+", "+k.variable.From
			m.variables = append(m.variables, k.variable)
		}
	}
}

// coded finds a word in base64 that has a stand-in inside, as basic
// authentication makes one, and puts the command in its place that encodes it.
func (m *masks) coded(text string) (string, bool) {
	for word := range strings.FieldsSeq(text) {
		if plain, err := base64.StdEncoding.DecodeString(word); err == nil && stand.Match(plain) && !m.tells(string(plain)) {
			return strings.Replace(text, word, m.add(mask{command: encoded(string(plain))}), 1), true
		}
	}
	return "", false
}

// sums are the commands that print a hash, by its name.
var sums = map[string]string{"md5": "md5sum", "sha1": "sha1sum", "sha224": "sha224sum", "sha256": "sha256sum", "sha384": "sha384sum", "sha512": "sha512sum"}

// call is Options.Call of a source: a function of a secret becomes a command that
// does the same, and one that no command does, a variable.
func (m *masks) call(function string, args [][]byte) ([]byte, bool) {
	if !slices.ContainsFunc(args, func(arg []byte) bool { return stand.Match(arg) }) {
		return nil, false
	}
	texts := make([]string, len(args))
	for i, arg := range args {
		if json.Unmarshal(arg, &texts[i]) != nil {
			texts[i] = string(arg)
		}
	}
	k := mask{}
	switch first := texts[0]; {
	case function == "concat", function == "implode", function == "sprintf" && strings.Count(first, "%") == strings.Count(first, "%s"):
		return nil, false // the stand-ins come through
	case slices.ContainsFunc(texts, m.tells):
		k.variable = &variable{From: "which the function " + function + " makes of secrets"}
	case function == "base64_encode":
		k.command = encoded(first)
	case function != "hash" && sums[function] != "":
		k.command = hashed(function, first)
	case function == "hash" && sums[strings.ToLower(first)] != "":
		k.command = hashed(strings.ToLower(first), texts[1])
	case function == "hash_hmac" && sums[strings.ToLower(first)] != "":
		k.command = func(word func(string) string) string {
			return "printf %s " + word(texts[1]) + " | openssl dgst -r -" + strings.ToLower(first) + " -hmac " + word(texts[2]) + " | cut -d ' ' -f 1"
		}
	default:
		k.variable = &variable{From: "which the function " + function + " makes of a secret"}
	}
	text, _ := json.Marshal(m.add(k)) // a string cannot fail
	return text, true
}

func encoded(text string) func(func(string) string) string {
	return func(word func(string) string) string { return "printf %s " + word(text) + ` | base64 | tr -d '\n'` }
}

func hashed(algorithm, text string) func(func(string) string) string {
	return func(word func(string) string) string {
		return "printf %s " + word(text) + " | " + sums[algorithm] + " | cut -d ' ' -f 1"
	}
}
