package discover

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"

	"sluice/pipeline/pattern"
)

// loginToken is the value of a variable that is not set, or of a command, in the command after the login.
const loginToken = "token-of-the-login-0123456789"

// commands returns the words of each curl command in a text for bash, or the shell of Windows, an inner one first;
// an address alone is one. getenv gives the values of variables.
func commands(text string, getenv func(string) string) ([][]string, error) {
	text = strings.TrimSpace(text)
	isWord := !strings.ContainsAny(text, " \t\n'\"")
	if isWord && strings.Contains(text, "://") {
		return [][]string{{"curl", text}}, nil
	}
	calls, err := curlCalls(forBash(text))
	if err != nil {
		return nil, err
	}
	var all [][]string
	for i, call := range calls {
		c := expansion(getenv)
		if i > 0 {
			c = expansionAfter(calls[0], getenv)
		}
		words, err := expand.Fields(c, call.Args...)
		if err != nil {
			return nil, unknownValue(err)
		}
		all = append(all, words)
	}
	return all, nil
}

var (
	prompt     = pattern.Lazy(`(?m)^\s*[$%>] |\r`)
	ofWindows  = pattern.Lazy(`(?m)\s\^("|$)`)
	afterCaret = pattern.Lazy(`\^(\n|.)`)
)

// forBash returns a text as bash would have it, without prompts and the end of what continues on no line.
func forBash(text string) string {
	text = prompt().ReplaceAllString(text, "")
	text = strings.TrimRight(text, "\\ \t\n")
	if !ofWindows().MatchString(text) {
		return text
	}
	text = strings.NewReplacer("$", `\$`, "`", "\\`", "^\n", " ").Replace(text)
	return afterCaret().ReplaceAllString(text, "$1")
}

var errNotShell = errors.New("this is no command that a shell can read: is a quote missing?")

// curlCalls returns the calls of curl in a text for bash, an inner one first.
func curlCalls(text string) ([]*syntax.CallExpr, error) {
	file, err := syntax.NewParser().Parse(strings.NewReader(text), "")
	if err != nil {
		return nil, errNotShell
	}
	var calls []*syntax.CallExpr
	inBackground := false
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Stmt:
			inBackground = inBackground || n.Background
		case *syntax.CallExpr:
			if isCurl(n) {
				calls = append(calls, n)
			}
		}
		return true
	})
	// The & of an address without quotes does that.
	if inBackground {
		return nil, errNotShell
	}
	slices.SortFunc(calls, func(a, b *syntax.CallExpr) int {
		return cmp.Compare(a.End().Offset(), b.End().Offset())
	})
	return calls, nil
}

func isCurl(c *syntax.CallExpr) bool {
	if len(c.Args) == 0 {
		return false
	}
	program := path.Base(c.Args[0].Lit())
	return strings.TrimSuffix(program, ".exe") == "curl"
}

// expansion replaces variables, which must be there, and runs nothing.
func expansion(getenv func(string) string) *expand.Config {
	return &expand.Config{
		Env:       expand.FuncEnviron(getenv),
		NoUnset:   true,
		ProcSubst: func(*syntax.ProcSubst) (string, error) { return "", errors.ErrUnsupported },
	}
}

// expansionAfter is that of the command after the login: a variable that is not set, and a command around the login,
// give its token.
func expansionAfter(login *syntax.CallExpr, getenv func(string) string) *expand.Config {
	c := expansion(getenv)
	c.Env = expand.FuncEnviron(func(name string) string { return cmp.Or(getenv(name), loginToken) })
	c.CmdSubst = func(w io.Writer, s *syntax.CmdSubst) error {
		from, to := s.Pos().Offset(), s.End().Offset()
		isAround := from <= login.Pos().Offset() && login.End().Offset() <= to
		if !isAround {
			return errors.ErrUnsupported
		}
		_, err := io.WriteString(w, loginToken)
		return err
	}
	return c
}

// unknownValue says why words cannot be expanded, without any value.
func unknownValue(err error) error {
	unset, ok := errors.AsType[expand.UnsetParameterError](err)
	if ok {
		return fmt.Errorf("the variable %.40s is not set in the environment: set it, or write its "+
			"value", unset.Node.Param.Value)
	}
	return errors.New("a command within the command, such as $(…), is not run: write its output instead")
}
