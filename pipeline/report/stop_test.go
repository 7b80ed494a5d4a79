package report_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sluice/pipeline/report"
)

func TestEachStopReasonHasARule(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "stop.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var declared []report.StopReason
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || !isStopReason(spec.Type) {
			return true
		}
		for _, value := range spec.Values {
			text, err := strconv.Unquote(value.(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			declared = append(declared, report.StopReason(text))
		}
		return true
	})
	slices.Sort(declared)
	if !slices.Equal(declared, report.StopReasons()) {
		t.Errorf("stop.go declares %q, and stopRules has %q", declared, report.StopReasons())
	}
	for _, reason := range declared {
		if reason.Rule().Words == "" {
			t.Errorf("the rule of %q has no words for people", reason)
		}
		if got := report.EndedBy(reason); got.Reason != reason || got.Verdict != reason.Rule().Verdict {
			t.Errorf("%q became %+v", reason, got)
		}
	}
}

func TestAPersonsBoundIsNeitherCompleteNorAskedBeyond(t *testing.T) {
	for _, reason := range report.StopReasons() {
		rule := reason.Rule()
		if !rule.Chosen {
			continue
		}
		if rule.Verdict != report.Unverified || rule.Beyond != report.BeyondNothing || rule.Divisible ||
			rule.Proof {
			t.Errorf("%q: %+v", reason, rule)
		}
	}
}

func TestADeclaredEndIsCompleteAndNotAskedBeyond(t *testing.T) {
	for _, reason := range report.StopReasons() {
		rule := reason.Rule()
		if rule.Declared && (rule.Verdict != report.Complete || rule.Beyond != report.BeyondNothing || rule.Divisible || !rule.Unsearched()) {
			t.Errorf("%q: %+v", reason, rule)
		}
	}
}

// Only EndedBy makes a stop, of a reason of the table.
func TestNoStopIsMadeByHand(t *testing.T) {
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && strings.HasPrefix(d.Name(), ".") && path != "../.." {
			return filepath.SkipDir
		}
		table := filepath.Join("..", "..", "pipeline", "report", "stop.go")
		isProduct := strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go")
		if !isProduct || path == table {
			return nil
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if fault := handMade(n); fault != "" {
				t.Errorf("%s: %s", set.Position(n.Pos()), fault)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// handMade says what is wrong with a node that makes a stop, or a reason of one, without the table.
func handMade(n ast.Node) string {
	switch n := n.(type) {
	case *ast.CompositeLit:
		if isNamed(n.Type, "Stop") && len(n.Elts) > 0 {
			return "a stop is made by report.EndedBy"
		}
	case *ast.CallExpr:
		literal := len(n.Args) == 1 && isLiteral(n.Args[0])
		if literal && (isNamed(n.Fun, "EndedBy") || isStopReason(n.Fun)) {
			return "stop reasons are those of pipeline/report/stop.go"
		}
	case *ast.ValueSpec:
		if isStopReason(n.Type) && len(n.Values) > 0 {
			return "stop reasons are declared in pipeline/report/stop.go, with a rule"
		}
	case *ast.BinaryExpr:
		if isConstant(n.X) || isConstant(n.Y) {
			return "what a stop reason means is said by its rule"
		}
	case *ast.CaseClause:
		if slices.ContainsFunc(n.List, isConstant) {
			return "what a stop reason means is said by its rule"
		}
	}
	return ""
}

func isStopReason(e ast.Expr) bool { return isNamed(e, "StopReason") }

// isNamed tells whether an expression is a name of this package, seen from within or without.
func isNamed(e ast.Expr, name string) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name == name
	case *ast.SelectorExpr:
		from, ok := e.X.(*ast.Ident)
		return ok && from.Name == "report" && e.Sel.Name == name
	}
	return false
}

// isConstant tells whether an expression is one of the stop reasons.
func isConstant(e ast.Expr) bool {
	s, ok := e.(*ast.SelectorExpr)
	return ok && isNamed(e, s.Sel.Name) && strings.HasPrefix(s.Sel.Name, "Stop")
}

func isLiteral(e ast.Expr) bool {
	_, ok := e.(*ast.BasicLit)
	return ok
}
