package expr

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/net/http/httpguts"

	"sluice/pipeline/item"
	"sluice/source/config"
)

// A NamedValue is a named value of the configuration: a parameter or a header.
type NamedValue struct {
	Name  string
	Value *Expr
}

// CompileMembers compiles each member of an object, which may be nil.
func CompileMembers(n *config.Node, env Env, p *config.Problems) []NamedValue {
	o := config.NewObjectDecoder(n, p).Node()
	if o == nil {
		return nil
	}
	all := make([]NamedValue, 0, len(o.Members))
	for _, m := range o.Members {
		all = append(all, NamedValue{m.Name, Compile(m.Value, env, p)})
	}
	return all
}

// EvalMembers evaluates members in order and gives each to use, until one fails.
func EvalMembers(all []NamedValue, env Env, use func(name string, v Value)) error {
	for _, m := range all {
		v, err := m.Value.Eval(env)
		if err != nil {
			return err
		}
		use(m.Name, v)
	}
	return nil
}

// AnyPerRequest tells whether one of the members is [Expr.PerRequest].
func AnyPerRequest(all []NamedValue) bool {
	return slices.ContainsFunc(all, func(m NamedValue) bool { return m.Value.PerRequest() })
}

var errHeader = errors.New("must be a string, number or boolean")

// CompileHeaders is [CompileMembers] for headers. As far as it can be known now, a value must be text.
func CompileHeaders(n *config.Node, env Env, p *config.Problems) []NamedValue {
	all := CompileMembers(n, env, p)
	for _, h := range all {
		at := h.Value.node
		CheckHeaderName(at, h.Name, p)
		if err := h.Value.mayBeHeader(env); err != nil {
			p.Errorf(at, "%v", err)
		}
	}
	return all
}

// CheckHeaderName reports a name at a node that cannot be that of a header.
func CheckHeaderName(at *config.Node, name string, p *config.Problems) {
	if !httpguts.ValidHeaderFieldName(name) {
		p.Errorf(at, "%q cannot be the name of a header", name)
	}
}

// mayBeHeader says what keeps a value from being a header, as far as it can be known now. It is nil if the
// value cannot be evaluated, which Compile has reported.
func (e *Expr) mayBeHeader(env Env) error {
	if !e.Ready() {
		if e.data {
			return errHeader
		}
		return nil
	}
	v, err := e.Eval(env)
	if err != nil {
		//nolint:nilerr // Compile has reported it
		return nil
	}
	_, err = headerText(v.JSON)
	return err
}

// Header evaluates a header.
func (m NamedValue) Header(env Env) (string, error) {
	v, err := m.Value.Eval(env)
	if err != nil {
		return "", err
	}
	return m.HeaderText(v.JSON)
}

// HeaderText returns the text of a value that the header has: a string, number or boolean.
func (m NamedValue) HeaderText(value jsontext.Value) (string, error) {
	text, err := headerText(value)
	if err != nil {
		return "", fmt.Errorf("header %s: %w", m.Name, err)
	}
	return text, nil
}

func headerText(value jsontext.Value) (string, error) {
	text, ok := item.Text(value)
	if !ok {
		return "", errHeader
	}
	isValid := httpguts.ValidHeaderFieldValue
	if !isValid(text) && isValid(strings.TrimRight(text, "\r\n")) {
		return "", errors.New("the value ends in a line break, which no header can have: give it without")
	}
	if !isValid(text) {
		return "", errors.New("the value has a line break or another character that no header can have")
	}
	return text, nil
}
