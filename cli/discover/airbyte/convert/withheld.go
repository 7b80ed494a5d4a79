package convert

import (
	"fmt"
	"slices"
	"strings"

	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/template"
	"sluice/cli/discover/airbyte/write"
	"sluice/cli/discover/withhold"
	"sluice/pipeline/pattern"
	"sluice/pipeline/secret"
)

// credential is the text of a member that is a credential by its name: a reference to a secret attribute in
// the place of a literal, and of a value of the configuration that no schema marks as secret.
func (s *Stream) credential(n *manifest.Section, sc template.Scope, member string) write.ConfigValue {
	own := n.Get(member)
	return withheld(sc, own, member, s.textOrEmpty(own, sc))
}

// withheld is a text that is a credential.
func withheld(sc template.Scope, n *manifest.Section, role string, value write.ConfigValue) write.ConfigValue {
	if own := settingOf(sc.Values, value); own != nil {
		return write.Attr(sc.Values.Refer(manifest.Setting{Path: own.Path, IsSecret: true}))
	}
	text, _ := value.(write.Text)
	literal := string(text)
	if literal == "" || placeholders().MatchString(literal) {
		return value
	}
	name := sc.Values.Refer(manifest.Setting{Path: role, IsSecret: true, Literal: literal})
	sc.Values.Note(fmt.Sprintf("%s: the manifest has this credential as a literal (line %d), which is not written: "+
		"give it by --attr-env", name, n.Line))
	return write.Attr(name)
}

// placeholders are those that take a value in a run.
var placeholders = pattern.Lazy(`\{[A-Za-z_][A-Za-z0-9_.]*\}`)

// withheldBy is the value of a parameter, references in the place of the literals that are secrets by its
// name, by that of a member in it, or by themselves.
func withheldBy(sc template.Scope, n *manifest.Section, name string, value write.ConfigValue) write.ConfigValue {
	switch v := value.(type) {
	case write.Object:
		var all write.Object
		for _, m := range v {
			all = all.And(m.Name, withheldBy(sc, n, m.Name, m.Value))
		}
		return all
	case write.Array:
		var all write.Array
		for _, element := range v {
			all = append(all, withheldBy(sc, n, name, element))
		}
		return all
	case write.Text:
		if isPlainWord(string(v)) || !withhold.IsSecret(name, string(v)) {
			return v
		}
		return withheld(sc, n, strings.ToLower(name), v)
	}
	return heldSettings(sc, name, value)
}

// heldSettings is an expression, references to secret attributes in the place of the values of the configuration in it
// that no schema marks as secret, if the name is that of a secret.
func heldSettings(sc template.Scope, name string, value write.ConfigValue) write.ConfigValue {
	if !secret.Parameter(name) || secret.HarmlessHeader(name) {
		return value
	}
	var all write.Parts
	for _, piece := range write.PartsOf(value) {
		if own := settingOf(sc.Values, piece); own != nil {
			piece = write.Attr(sc.Values.Refer(manifest.Setting{Path: own.Path, IsSecret: true}))
		}
		all = all.And(piece)
	}
	return all.Expr()
}

// withheldHeader is the value of a header, references in the place of the secrets in it.
func withheldHeader(sc template.Scope, n *manifest.Section, name string, value write.ConfigValue) write.ConfigValue {
	text, isText := value.(write.Text)
	if !isText {
		return heldSettings(sc, name, value)
	}
	if isPlainWord(string(text)) {
		return value
	}
	found := withhold.Header(name, string(text))
	for i := range found {
		if found[i].Name != "" && strings.EqualFold(name, "Authorization") {
			found[i].Name = name
		}
		// It is sent as it stands.
		found[i].Plain = found[i].Raw
	}
	return withheldPieces(sc, n, found).Expr()
}

// withheldIn is an address with references in the place of the secrets in its literals.
func withheldIn(sc template.Scope, n *manifest.Section, address write.Parts) write.Parts {
	found := withhold.Address
	return address.InTexts(func(text string) write.Parts {
		pieces := found(text)
		if strings.Contains(text, "?") {
			found = withhold.Query
		}
		return withheldPieces(sc, n, pieces)
	})
}

// withheldPieces are those of a text, references in the place of the secrets. Where these are given, they are as they
// are meant.
func withheldPieces(sc template.Scope, n *manifest.Section, pieces withhold.Pieces) write.Parts {
	var all write.Parts
	for _, piece := range pieces {
		held := write.ConfigValue(write.Text(piece.Raw))
		if piece.Name != "" && !isPlainWord(piece.Plain) {
			plain := write.Text(piece.Plain)
			if reference := withheld(sc, n, strings.ToLower(piece.Name), plain); reference != plain {
				held = reference
			}
		}
		all = all.And(held)
	}
	return all
}

// isPlainWord tells a text that is no credential whatever it is called: an empty one, a boolean, a small number.
func isPlainWord(text string) bool {
	isWord := slices.Contains([]string{"", "true", "false", "True", "False", "null"}, text)
	return isWord || len(text) <= 3 && strings.Trim(text, "0123456789") == ""
}

// settingOf is the value of the configuration that an expression is; nil: it is none, or a secret, or yet to be given.
func settingOf(v *manifest.Values, e write.ConfigValue) *manifest.Setting {
	r, _ := e.(write.Reference)
	s, isUsed := v.Used[r.Name]
	if r.Kind != "attr" || !isUsed || s.IsSecret || s.IsMissing {
		return nil
	}
	return &s
}

// part is a member of an address as parts, without credentials.
func (s *Stream) part(n *manifest.Section, sc template.Scope) write.Parts {
	p := write.PartsOf(s.text(n, sc))
	if userInfo().MatchString(p.Shape()) {
		s.Refuse(n, "an address with a user name or a password is not supported: take them out of it, "+
			"and give them by a BasicHttpAuthenticator")
	}
	return withheldIn(sc, n, p)
}
