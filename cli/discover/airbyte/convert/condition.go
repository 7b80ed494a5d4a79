package convert

import (
	"slices"
	"strconv"
	"strings"

	"sluice/cli/discover/airbyte/predicate"
	"sluice/cli/discover/airbyte/python"
	"sluice/cli/discover/airbyte/template"
	"sluice/cli/discover/airbyte/write"
)

// A pagingEnd is one of the conditions under which paging ends: an expression that holds, or, with not, one that
// does not.
type pagingEnd struct {
	e   template.Expression
	not bool

	// isText tells that its text counts, in which null is something.
	isText bool
}

// disjuncts are the conditions of which one is enough.
func disjuncts(e template.Expression, not bool) []pagingEnd {
	e = template.Unwrapped(e)
	switch of := e.(type) {
	case template.Unary:
		if of.Operator == "not" {
			return disjuncts(of.Of, !not)
		}
	case template.Binary:
		if of.Operator == "or" && !not || of.Operator == "and" && not {
			return append(disjuncts(of.Left, not), disjuncts(of.Right, not)...)
		}
		if opposite, ok := predicate.Opposites[of.Operator]; ok && not {
			return []pagingEnd{{e: template.Binary{Operator: opposite, Left: of.Left, Right: of.Right}}}
		}
	case template.Ternary:
		yes, isYes := isSwitch(of.Yes)
		no, isNo := isSwitch(of.No)
		if isYes && isNo && yes != no {
			return disjuncts(of.Condition, not == yes)
		}
	}
	return []pagingEnd{{e: e, not: not}}
}

// isSwitch is a constant that a condition gives.
func isSwitch(e template.Expression) (is, ok bool) {
	c, ok := template.Unwrapped(e).(template.Constant)
	return ok && python.Holds(c.Value), ok
}

// isUnfollowed tells that a condition holds always.
func isUnfollowed(ends []pagingEnd) bool {
	return slices.ContainsFunc(ends, func(x pagingEnd) bool {
		is, ok := isSwitch(x.e)
		return ok && is != x.not
	})
}

// isMember tells an expression that may give a member of the answer as it is.
func isMember(e template.Expression) bool {
	e = template.Unwrapped(e)
	if b, ok := e.(template.Binary); ok && b.Operator == "and" {
		return isMember(b.Left) || isMember(b.Right)
	}
	_, ok := template.Trail(e)
	return ok
}

// isPresence tells an end that holds only where a member is missing or null, not where it is 0 or false.
func isPresence(x pagingEnd) bool {
	b, _ := x.e.(template.Binary)
	value, isConstant := template.KnownValue(b.Right)
	isNull := b.Operator == "==" && isConstant && value == nil
	return !x.not && (isNull || slices.Contains([]string{"is", "is not", "not in"}, b.Operator))
}

// missed is what a condition says is missing, null or empty.
func missed(x pagingEnd) (template.Way, bool) {
	if x.not {
		return wayOfSize(x.e)
	}
	b, _ := x.e.(template.Binary)
	if _, ok := template.KnownValue(b.Left); ok && b.Operator == "==" {
		b.Left, b.Right = b.Right, b.Left
	}
	value, isConstant := template.KnownValue(b.Right)
	w, isWay := wayOfSize(b.Left)
	_, isSize := b.Left.(template.Filter)
	switch b.Operator {
	case "==":
		return w, isWay && isConstant && !python.Truthy(value)
	case "<":
		return w, isWay && isSize && value == int64(1)
	case "not in":
		key, isKey := template.ConstantText(b.Left)
		w, ok := template.Trail(b.Right)
		w.Steps = append(slices.Clone(w.Steps), key)
		return w, ok && isKey
	case "is", "is not":
		test, with := template.TestNamed(b.Right)
		same, isSame := template.KnownValue(with)
		isFalse := slices.Contains([]string{"none", "undefined", "false"}, test) ||
			test == "sameas" && isSame && !python.Truthy(same)
		w, ok := template.Trail(b.Left)
		isMissed := b.Operator == "is" && isFalse || b.Operator == "is not" && test == "defined"
		return w, ok && w.IsFalsyByDefault() && isMissed
	}
	return w, false
}

// wayOfSize is what an expression names, or that of which it has the length.
func wayOfSize(e template.Expression) (template.Way, bool) {
	if of, ok := predicate.LengthOf(e); ok {
		e = of
	}
	w, ok := template.Trail(e)
	return w, ok && w.IsFalsyByDefault()
}

// numberIn is a number that the number of items is compared with.
func numberIn(e template.Expression) (int64, bool) {
	if f, ok := e.(template.Filter); ok && f.Name == "int" {
		return numberIn(f.Of)
	}
	c, _ := e.(template.Constant)
	n, ok := c.Value.(int64)
	return n, ok && n >= 0
}

// flagged is a condition about one member of the answer.
func flagged(x pagingEnd) (write.Flag, bool) {
	if w, ok := template.Trail(x.e); ok {
		// What is missing counts as what it is by default.
		isNull := x.isText && w.HasDefault && w.ByDefault == nil
		return flagAt(w, !x.not, isNull || w.HasDefault && python.Truthy(w.ByDefault))
	}
	b, ok := x.e.(template.Binary)
	if !ok || x.not {
		return write.Flag{}, false
	}
	if _, ok := template.KnownValue(b.Left); ok {
		b.Left, b.Right = b.Right, b.Left
	}
	operator, right := b.Operator, b.Right
	if test, with := template.TestNamed(b.Right); operator == "is" || operator == "is not" {
		right = with
		operator = map[string]string{"is": "==", "is not": "!="}[operator]
		if !slices.Contains([]string{"true", "false", "sameas", "eq", "equalto"}, test) {
			return write.Flag{}, false
		}
	}
	c, ok := right.(template.Constant)
	if !ok {
		return write.Flag{}, false
	}
	return comparedFlag(b.Left, operator, c.Value)
}

// comparedFlag is a comparison of a member with a boolean, or with 0.
func comparedFlag(of template.Expression, operator string, value any) (write.Flag, bool) {
	is, isBoolean := value.(bool)
	isZero := value == int64(0)
	isCompared := (operator == "==" || operator == "!=") && (isBoolean || isZero)
	w, ok := template.Trail(of)
	if !ok || !isCompared {
		return write.Flag{}, false
	}
	isEqual := operator == "=="
	// What is missing is equal to nothing but its default.
	isMissingEqual := w.HasDefault && w.ByDefault == value
	return flagAt(w, is == isEqual, (isMissingEqual == isEqual) == (is == isEqual))
}

// flagAt stops where a member is stopOn; a missing one counts as ifMissing.
func flagAt(w template.Way, stopOn, ifMissing bool) (write.Flag, bool) {
	isPlain := !slices.ContainsFunc(w.Steps, func(step string) bool { return strings.Contains(step, ".") })
	ok := w.Variable == "response" && len(w.Steps) > 0 && isPlain
	return write.Flag{Field: strings.Join(w.Steps, "."), StopOn: stopOn, IfMissing: ifMissing}, ok
}

// parted is the value of an expression that gives nothing under some conditions, and these.
func parted(e template.Expression) (value template.Expression, ends []pagingEnd) {
	e = template.Unwrapped(e)
	switch e := e.(type) {
	case template.Ternary:
		switch {
		case isNothing(e.No):
			value, ends = parted(e.Yes)
			return value, append(disjuncts(e.Condition, true), ends...)
		case isNothing(e.Yes):
			value, ends = parted(e.No)
			return value, append(disjuncts(e.Condition, false), ends...)
		}
	case template.Binary:
		if e.Operator == "and" {
			value, ends = parted(e.Right)
			return value, append(disjuncts(e.Left, true), ends...)
		}
	}
	return e, nil
}

// isNothing tells a value that leads to no page.
func isNothing(e template.Expression) bool {
	value, ok := template.KnownValue(template.Unwrapped(e))
	text, isText := value.(string)
	isNone := isText && slices.Contains([]string{"None", "False", "0", "{}", "[]"}, text)
	return ok && (isNone || !python.Truthy(value))
}

// numberOf is a whole number, which may be written as a text that a filter reads.
func numberOf(e template.Expression) (int64, bool) {
	c, _ := e.(template.Constant)
	switch v := c.Value.(type) {
	case int64:
		return v, true
	case string:
		n, err := strconv.ParseInt(v, 10, 64)
		return n, err == nil
	}
	return 0, false
}
