package convert

import (
	"fmt"
	"slices"
	"strings"

	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/template"
	"sluice/cli/discover/airbyte/write"
	"sluice/cli/discover/pattern"
	"sluice/cli/discover/withhold"
	"sluice/pipeline/item"
	"sluice/pipeline/secret"
)

// credential is the text of a member that is a credential by its name, as JSON: a reference to a secret attribute in
// the place of a literal, and of a value of the configuration that no schema marks as secret.
func (s *Stream) credential(n *manifest.Node, sc template.Scope, member string) string {
	own := n.Get(member)
	return withheld(sc, own, member, s.textOrEmpty(own, sc))
}

// withheld is a text, as JSON, that is a credential.
func withheld(sc template.Scope, n *manifest.Node, role, value string) string {
	if own := settingOf(sc.Values, value); own != nil {
		return write.Attr(sc.Values.Refer(manifest.Setting{Path: own.Path, IsSecret: true}))
	}
	literal := write.TextOf(value)
	if !write.IsQuoted(value) || literal == "" || placeholders().MatchString(literal) {
		return value
	}
	reference := write.Attr(sc.Values.Refer(manifest.Setting{Path: role, IsSecret: true, Literal: literal}))
	sc.Values.Note(fmt.Sprintf("%s: the manifest has this credential as a literal (line %d), which is not written: "+
		"give it by --attr-env", write.Named(reference, "attr"), n.Line))
	return reference
}

// placeholders are those that take a value in a run.
var placeholders = pattern.Lazy(`\{[A-Za-z_][A-Za-z0-9_.]*\}`)

// withheldBy is the value of a parameter, as JSON, references in the place of the literals that are secrets by its
// name, by that of a member in it, or by themselves.
func withheldBy(sc template.Scope, n *manifest.Node, name, value string) string {
	function, _ := write.Call(value)
	switch kind := item.Kind([]byte(value)); {
	case kind == '{' && function == "" && write.Named(value, "attr") == "":
		all := write.ObjectOf(value)
		for m := range slices.Chunk(all, 2) {
			m[1] = withheldBy(sc, n, m[0], m[1])
		}
		return all.String()
	case kind == '[':
		var all []string
		for element := range item.Elements(write.Tight(value)) {
			all = append(all, withheldBy(sc, n, name, write.Loose(element)))
		}
		return write.List(all)
	case !write.IsQuoted(value):
		return heldSettings(sc, name, value)
	case isPlainWord(write.TextOf(value)) || !withhold.IsSecret(name, write.TextOf(value)):
		return value
	}
	return withheld(sc, n, strings.ToLower(name), value)
}

// heldSettings is an expression, as JSON, references to secret attributes in the place of the values of the
// configuration in it that no schema marks as secret, if the name is that of a secret.
func heldSettings(sc template.Scope, name, value string) string {
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
	return all.JSON()
}

// withheldHeader is the value of a header, as JSON, references in the place of the secrets in it.
func withheldHeader(sc template.Scope, n *manifest.Node, name, value string) string {
	if !write.IsQuoted(value) {
		return heldSettings(sc, name, value)
	}
	if isPlainWord(write.TextOf(value)) {
		return value
	}
	found := withhold.Header(name, write.TextOf(value))
	for i := range found {
		if found[i].Name != "" && strings.EqualFold(name, "Authorization") {
			found[i].Name = name
		}
		// It is sent as it stands.
		found[i].Plain = found[i].Raw
	}
	return withheldPieces(sc, n, found).JSON()
}

// withheldIn is an address with references in the place of the secrets in its literals.
func withheldIn(sc template.Scope, n *manifest.Node, address write.Parts) write.Parts {
	var all write.Parts
	isQuery := false
	for _, piece := range address {
		if !write.IsQuoted(piece) {
			all = all.And(piece)
			continue
		}
		text := write.TextOf(piece)
		found := withhold.Address
		if isQuery {
			found = withhold.Query
		}
		all = all.And(withheldPieces(sc, n, found(text))...)
		isQuery = isQuery || strings.Contains(text, "?")
	}
	return all
}

// withheldPieces are those of a text, references in the place of the secrets. Where these are given, they are as they
// are meant.
func withheldPieces(sc template.Scope, n *manifest.Node, pieces withhold.Pieces) write.Parts {
	var all write.Parts
	for _, piece := range pieces {
		if piece.Name == "" || isPlainWord(piece.Plain) {
			all = all.And(write.Quote(piece.Raw))
			continue
		}
		plain := write.Quote(piece.Plain)
		if held := withheld(sc, n, strings.ToLower(piece.Name), plain); held != plain {
			all = all.And(held)
		} else {
			all = all.And(write.Quote(piece.Raw))
		}
	}
	return all
}

// isPlainWord tells a text that is no credential whatever it is called: an empty one, a boolean, a small number.
func isPlainWord(text string) bool {
	isWord := slices.Contains([]string{"", "true", "false", "True", "False", "null"}, text)
	return isWord || len(text) <= 3 && strings.Trim(text, "0123456789") == ""
}

// settingOf is the value of the configuration that an expression is; nil: it is none, or a secret, or yet to be given.
func settingOf(v *manifest.Values, json string) *manifest.Setting {
	s, isUsed := v.Used[write.Named(json, "attr")]
	if !isUsed || s.IsSecret || s.IsMissing {
		return nil
	}
	return &s
}
