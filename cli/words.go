package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
)

// pattern compiles a pattern when it is used for the first time, since only init needs those of curl commands.
func pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

var (
	prompt     = pattern(`(?m)^\s*[$%>] |\r`)
	ofWindows  = pattern(`(?m)\s\^("|$)`)
	afterCaret = pattern(`\^(\n|.)`)
)

// loginToken is the value of a variable that is not set, or of a command, in the command after the login.
const loginToken = "token-of-the-login-0123456789"

// curlCommands returns the words of each curl command in a text for bash, or the shell of Windows, an inner one first;
// an address alone is one. getenv gives the values of variables.
func curlCommands(text string, getenv func(string) string) (all [][]string, err error) {
	if text = strings.TrimSpace(text); !strings.ContainsAny(text, " \t\n'\"") && strings.Contains(text, "://") {
		return [][]string{{"curl", text}}, nil
	}
	text = strings.TrimRight(prompt().ReplaceAllString(text, ""), "\\ \t\n")
	if ofWindows().MatchString(text) {
		text = afterCaret().ReplaceAllString(strings.NewReplacer("$", `\$`, "`", "\\`", "^\n", " ").Replace(text), "$1")
	}
	wrong := errors.New("this is no command that a shell can read: is a quote missing?")
	file, err := syntax.NewParser().Parse(strings.NewReader(text), "")
	if err != nil {
		return nil, wrong
	}
	var calls []*syntax.CallExpr
	syntax.Walk(file, func(n syntax.Node) bool {
		if s, ok := n.(*syntax.Stmt); ok && s.Background { // by an & of the address
			err = wrong
		} else if c, ok := n.(*syntax.CallExpr); ok && len(c.Args) > 0 && strings.TrimSuffix(path.Base(c.Args[0].Lit()), ".exe") == "curl" {
			calls = append(calls, c)
		}
		return true
	})
	slices.SortFunc(calls, func(a, b *syntax.CallExpr) int { return cmp.Compare(a.End().Offset(), b.End().Offset()) })
	c := &expand.Config{Env: expand.FuncEnviron(getenv), NoUnset: true}
	for _, call := range calls {
		words, failed := expand.Fields(c, call.Args...)
		if unset, ok := errors.AsType[expand.UnsetParameterError](failed); ok {
			return nil, fmt.Errorf("the environment has no %.40s: set it, or write its value", unset.Node.Param.Value)
		} else if failed != nil {
			return nil, errors.New("what a command in the command gives is not known: write its value")
		}
		all = append(all, words)
		c.Env = expand.FuncEnviron(func(name string) string { return cmp.Or(getenv(name), loginToken) })
		c.CmdSubst = func(w io.Writer, s *syntax.CmdSubst) error {
			if s.End().Offset() < calls[0].End().Offset() || calls[0].Pos().Offset() < s.Pos().Offset() {
				return errors.ErrUnsupported // there is no login in it
			}
			_, err := io.WriteString(w, loginToken)
			return err
		}
	}
	return all, err
}
