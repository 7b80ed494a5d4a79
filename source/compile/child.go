package compile

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"sluice/source/config"
	"sluice/source/expr"
	"sluice/source/job"
)

// placeholder compiles a placeholder of the item above.
func (c *compiler) placeholder(m config.Member, parent *job.Job) job.Placeholder {
	p := job.Placeholder{Name: m.Name}
	if strings.Contains(m.Name, "}") {
		c.problems.Errorf(m.Value, "the name of a placeholder must not have a closing brace")
		return p
	}
	var err error
	p.Level, err = level(m.Name)
	if err != nil {
		c.problems.Errorf(m.Value, "%v", err)
		return p
	}
	d := config.DecodePlaceholder(m.Value, c.problems)
	if d.Path == "" {
		return p
	}
	p.Path, p.Optional = d.Path, d.Optional
	if d.Function != nil {
		env := expr.Env{Contexts: expr.Contexts{"placeholder": nil}, Now: c.env().Now}
		p.Value = expr.Compile(d.Function, env, c.problems)
		p.Escaped = escapes(d.Function)
	}
	above := parent.Up(p.Level - 1)
	if above == nil {
		c.problems.Errorf(m.Value, "there is no job %d levels above", p.Level)
		return p
	}
	p.Kept = above.Keep(p.Path)
	return p
}

// level is that in the name of a placeholder: "2:id" is of the grandparent's item.
func level(name string) (int, error) {
	digits, _, found := strings.Cut(name, ":")
	n, err := strconv.ParseUint(digits, 10, 16)
	switch isNumber := found && err == nil; {
	case !isNumber:
		return 1, nil
	case n == 0:
		return 0, errors.New("levels count from 1, the item right above")
	}
	return int(n), nil
}

// inherit puts the placeholders of the job above whose name the child does not use
// itself before its own.
func inherit(above, own []job.Placeholder) (all []job.Placeholder) {
	names := map[string]bool{}
	for _, p := range own {
		names[p.BareName()] = true
	}
	for i, p := range above {
		if !names[p.BareName()] {
			p.Above, p.Level = i+1, p.Level+1
			all = append(all, p)
		}
	}
	return append(all, own...)
}

// nameMembers names the members of all placeholders: of several on one path the last
// has the plain name.
func nameMembers(all []job.Placeholder) {
	// They count those on each path: that are still to come, and that have a name.
	later, named := map[string]int{}, map[string]int{}
	for i := range all {
		later[column(&all[i])]++
	}
	for i := range all {
		p := &all[i]
		plain := column(p)
		p.Member = plain
		later[plain]--
		if later[plain] > 0 {
			p.Member += "_u" + strconv.Itoa(named[plain])
		}
		named[plain]++
	}
}

// column is the plain name of the placeholder's member.
func column(p *job.Placeholder) string {
	return "parent_" + strings.TrimPrefix(p.Path, "parent_")
}

// escapes tells whether an expression escapes its value for a URL: by urlencode,
// also among joined texts.
func escapes(n *config.Node) bool {
	function, args := n.Member("function"), n.Member("args")
	if function == nil {
		return slices.ContainsFunc(n.Elems, escapes)
	}
	switch function.Text() {
	case "urlencode":
		return true
	case "concat", "implode", "sprintf", "ifempty":
		return args != nil && slices.ContainsFunc(args.Elems, escapes)
	}
	return false
}
