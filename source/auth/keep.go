package auth

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline"
	"sluice/pipeline/item"
	"sluice/source/config"
	"sluice/source/expr"
)

// keeping is what a login keeps for the next one. nil keeps nothing.
type keeping struct {
	// What is kept, by name.
	members []expr.NamedValue

	// A hash of the attributes that stand where nothing is kept.
	seed string

	// What they are called, for people.
	seeds []string

	// One of them has a value.
	isSeeded bool

	// nil: what is kept goes with the process.
	keeper Keeper

	// For the next login; nil before the first.
	kept map[string]string

	// By the login under way; nil: nothing yet.
	received map[string]string

	// A person begins it with sluice login.
	byPerson bool

	// In a plan, what stands for what will be kept; nil: this is no plan.
	unknown func(name string) string
}

// find is the context kept: what is kept under a name, empty if nothing is.
func (k *keeping) find(name string) (expr.Value, bool) {
	names := k.names()
	if !slices.Contains(names, name) {
		have := "; name it in api.authentication.keep"
		if len(names) > 0 {
			have = config.Have(name, names)
		}
		return expr.Value{Fault: fmt.Sprintf("nothing is kept as %q%s", name, have)}, false
	}
	if k.unknown != nil {
		return expr.Value{JSON: item.Quote(k.unknown(name)), Secret: true}, true
	}
	if k.kept == nil {
		return expr.Value{}, true
	}
	return expr.Value{JSON: item.Quote(k.kept[name]), Secret: true}, true
}

func (k *keeping) names() (all []string) {
	if k != nil {
		for _, m := range k.members {
			all = append(all, m.Name)
		}
	}
	return all
}

// begin finds what is kept, and returns what people are to be told.
func (k *keeping) begin() (told string, err error) {
	k.received = nil
	if k.keeper != nil {
		k.kept, told, err = k.keeper.Begin(k.seed, k.names())
	} else if k.kept == nil && !k.needsPerson() {
		told = "if a token can be used only once, the login uses it up, and the new one (" +
			strings.Join(k.names(), ", ") + ") is lost when the program ends: add --tokens FILE"
	}
	if k.kept == nil {
		k.kept = map[string]string{}
	}
	return told, err
}

// end has what the login gave kept, whatever else was wrong with its answer, and returns what the login ends with,
// of which err is known.
func (k *keeping) end(err error) error {
	var failed error
	if k.keeper != nil {
		failed = k.keeper.End(k.received)
	}
	gave := k.received != nil
	if gave {
		k.kept = k.received
	}
	switch {
	case failed == nil && gave:
		// What the login was sent with was good.
		return err
	case failed == nil:
		return k.hint(err)
	case gave && pipeline.IsTemporary(failed):
		return &notKept{failed}
	case gave:
		return &notKept{fmt.Errorf("%w; the token that the login was sent with may be used up; if it is, "+
			"%s", failed, k.cure())}
	}
	return fmt.Errorf("%w (%w)", k.hint(err), failed)
}

// errNobody says what a person has to do first.
var errNobody = errors.New("login: nobody has logged in yet: run sluice login with this configuration and --tokens " +
	"PLACE, and then this with the same --tokens")

// needsPerson tells whether there is nothing that a login could be sent with.
func (k *keeping) needsPerson() bool {
	isKept := func(name string) bool { return k.kept[name] != "" }
	return k.byPerson && !k.isSeeded && !slices.ContainsFunc(k.names(), isKept)
}

// lost says what becomes of a login that the end of the run has ended with err, if it was sent and gave nothing.
func (k *keeping) lost(err error) string {
	var ended interface{ Lost() bool }
	isLost := errors.As(err, &ended) && ended.Lost()
	if !isLost || k.received != nil {
		return ""
	}
	return "the run ended before the answer to its login came: the token that the login was sent with may be " +
		"used up; if it is, " + k.cure()
}

// notKept says why what a login gave cannot be kept.
type notKept struct{ why error }

// Error implements error.
func (n *notKept) Error() string {
	return "login: what the answer gives for the next login cannot be stored, so nothing of the answer is " +
		"used: " + n.why.Error()
}

// Unwrap returns why.
func (n *notKept) Unwrap() error { return n.why }

// hint adds to the error of a login that the API has refused what a person can do.
func (k *keeping) hint(err error) error {
	var answer interface{ Answered() bool }
	isRefusal := errors.As(err, &answer) && answer.Answered()
	if !isRefusal || pipeline.IsTemporary(err) {
		return err
	}
	var used []string
	for _, name := range k.names() {
		if k.kept[name] != "" {
			used = append(used, name)
		}
	}
	if len(used) == 0 {
		return err
	}
	return fmt.Errorf(
		"%w; it was sent with the stored value of %s: if that is no longer valid, %s",
		err,
		strings.Join(used, ", "),
		k.cure(),
	)
}

// cure says what a person can do where nothing is good any more.
func (k *keeping) cure() string {
	if k.byPerson {
		return "a person must log in again, with sluice login"
	}
	if len(k.seeds) == 0 {
		return "a person must log in again: remove what is at --tokens"
	}
	return "a person must log in again: set " + strings.Join(k.seeds, ", ") + " to what the login gives"
}

// planNote says what becomes of who sends the login request by hand.
func (k *keeping) planNote() string {
	if k == nil {
		return ""
	}
	return "if a token can be used only once, this command uses it up: what the answer gives for the next login (" +
		strings.Join(k.names(), ", ") + ") is then not available to a run"
}

// whence says in a plan where a kept value comes from.
func (k *keeping) whence(name string) string {
	from := "what --tokens keeps as " + name
	if len(k.seeds) > 0 {
		from += ", at first " + strings.Join(k.seeds, ", ")
	}
	return from
}

// take finds what is to be kept in a login response. What a later one does not give stays.
func (k *keeping) take(found contents, env Env) error {
	if k == nil {
		return nil
	}
	var secrets []string
	found.made = func(_, text string) { secrets = append(secrets, text) }
	with := found.env(env.Expr)
	for _, name := range []string{"response", "responseHeader"} {
		with.Contexts[name] = orEmpty(with.Contexts[name])
	}
	received := maps.Clone(k.kept)
	for _, m := range k.members {
		v, err := m.Value.Eval(with)
		if err != nil {
			return err
		}
		text, ok := item.Text(v.JSON)
		if !ok {
			return fmt.Errorf("api.authentication.keep.%s: it is %s in the login response, want a text", m.Name,
				item.Noun(item.Kind(v.JSON)))
		}
		if text != "" {
			received[m.Name] = text
		}
		if received[m.Name] == "" {
			return &missingKept{m.Name}
		}
		secrets = append(secrets, text)
	}
	env.Secrets.Add(secrets...)
	k.received = received
	return nil
}

// A missingKept is the error of a login response without what is to be kept.
type missingKept struct{ name string }

// Error implements error.
func (l *missingKept) Error() string {
	return "api.authentication.keep." + l.name + ": the login response has nothing there"
}

// orEmpty finds a text without anything where a context has no value, or null.
func orEmpty(find func(path string) (expr.Value, bool)) func(path string) (expr.Value, bool) {
	return func(path string) (expr.Value, bool) {
		v, ok := find(path)
		if !ok || item.Kind(v.JSON) == 'n' {
			v = expr.Value{JSON: jsontext.Value(`""`)}
		}
		return v, true
	}
}

// learnSeed finds the attributes that stand where nothing is kept: those of the innermost function around a
// reference to what is kept that has any.
func (k *keeping) learnSeed(loginRequest *config.Node, contexts expr.Contexts) {
	values := map[string]bool{}
	for _, r := range seedsOf(loginRequest).seeds {
		find := contexts[r.context]
		// It is reported where it is compiled.
		if find == nil {
			continue
		}
		if v, ok := find(r.path); ok {
			values[string(v.JSON)] = true
			k.isSeeded = k.isSeeded || string(v.JSON) != `""`
			k.seeds = append(k.seeds, r.String())
		}
	}
	slices.Sort(k.seeds)
	k.seeds = slices.Compact(k.seeds)
	sum := sha256.New()
	for _, value := range slices.Sorted(maps.Keys(values)) {
		_, _ = fmt.Fprintf(sum, "%d %s\n", len(value), value)
	}
	k.seed = hex.EncodeToString(sum.Sum(nil))
}

// A seedReference is one to a value that is known before the login.
type seedReference struct{ context, path string }

func (r seedReference) String() string {
	if r.context == "user" {
		return "#data of the credentials"
	}
	return r.path
}

// seedContexts are what a seed can be in.
var seedContexts = []string{"attr", "user", "consumer"}

// seeded is what a part of a login request holds.
type seeded struct {
	// References to values that are known before.
	all []seedReference

	// It refers to what is kept.
	hasKept bool

	// Those of all that belong to what is kept.
	seeds []seedReference
}

func seedsOf(n *config.Node) (s seeded) {
	if n == nil {
		return s
	}
	if len(n.Members) == 1 && n.Members[0].Value.Kind == '"' {
		name, path := n.Members[0].Name, n.Members[0].Value.Text()
		switch {
		case name == "kept":
			return seeded{hasKept: true}
		case slices.Contains(seedContexts, name):
			return seeded{all: []seedReference{{name, path}}}
		}
	}
	parts := slices.Clone(n.Elems)
	for _, m := range n.Members {
		parts = append(parts, m.Value)
	}
	for _, part := range parts {
		of := seedsOf(part)
		s.all = append(s.all, of.all...)
		s.seeds = append(s.seeds, of.seeds...)
		s.hasKept = s.hasKept || of.hasKept
	}
	if n.Member("function") != nil && s.hasKept && len(s.seeds) == 0 {
		s.seeds = s.all
	}
	return s
}
