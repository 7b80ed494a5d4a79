//go:build unix

package cli

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sluice/pipeline/report"
	"sluice/source/verdict"
)

// TestThePageHasARowForEachGround compares the table of docs/missing-data.md with the grounds that there are, in
// their order, and looks for a scenario of each.
func TestThePageHasARowForEachGround(t *testing.T) {
	page := readText(t, filepath.Join("docs", "missing-data.md"))
	rows := tables(t, filepath.Join("docs", "missing-data.md"))["Complete, and why"]
	all := scenarios(t)
	var names []string
	place := 0
	for _, ground := range report.AllGrounds() {
		name, rule := string(ground), ground.Rule()
		names = append(names, name)
		if !strings.Contains(all, `{"`+name+`":`) {
			t.Errorf("no scenario has a job with the ground %s", name)
		}
		r := rows[name]
		if len(r) != 5 {
			t.Errorf("%s: a row has five cells: ground, class, words, when it holds, what makes it a stated one", name)
			continue
		}
		isSame := r[1] == string(rule.Class) && r[2] == rule.Words
		if !isSame {
			t.Errorf("%s is %s, and says %q, not %s, %q", name, rule.Class, rule.Words, r[1], r[2])
		}
		isAssumed := rule.Class == report.Assumed
		if isAssumed != (r[4] != "") {
			t.Errorf("%s: the last cell says what makes an assumed ground a stated one, and is empty for others", name)
		}
		at := strings.Index(page, "| `"+name+"` | "+string(rule.Class)+" |")
		if at < place {
			t.Errorf("the row of %s is not in the order of the grounds", name)
		}
		place = at
	}
	compare(t, "Complete, and why", rows, names)
}

// doubtTables are the tables of docs/missing-data.md that have the doubts, by what these are about.
var doubtTables = map[string]verdict.DoubtScope{
	"Doubts about an answer":       verdict.OfAnswer,
	"Doubts about the end":         verdict.OfWalk,
	"Doubts about pages and items": verdict.OfWalk,
	"Doubts about a job":           verdict.OfJob,
	"Doubts about a run":           verdict.OfRun,
}

// TestThePageHasARowForEachDoubt compares the tables of docs/missing-data.md with the rows of the one table of
// doubts: what each is about, what it means, and what in the configuration silences it.
func TestThePageHasARowForEachDoubt(t *testing.T) {
	all := tables(t, filepath.Join("docs", "missing-data.md"))
	rows, scopes := map[string]row{}, map[string]verdict.DoubtScope{}
	for title, scope := range doubtTables {
		for name, r := range all[title] {
			rows[name], scopes[name] = r, scope
		}
	}
	var names []string
	for _, d := range verdict.Doubts() {
		rule := d.Rule()
		names = append(names, rule.Name)
		r := rows[rule.Name]
		if len(r) != 4 || slices.Contains(r, "") {
			t.Errorf("%s: a row has four cells: doubt, verdict, what raises it, what silences it", rule.Name)
			continue
		}
		if scopes[rule.Name] != rule.Scope || r[1] != "`"+rule.Verdict.String()+"`" {
			t.Errorf("%s is about the %s and %s, not about the %s and %s",
				rule.Name, rule.Scope, rule.Verdict, scopes[rule.Name], r[1])
		}
		for option, trust := range map[string]verdict.Trust{
			"`trustEnd`":      {End: true, Proof: true},
			"`unique: false`": {Unique: true, Proof: true},
			"`failOn`":        {FailOn: true, Proof: true},
			"no `--proof`":    {},
		} {
			if strings.Contains(r[3], option) != d.Silenced(trust) {
				t.Errorf("%s: %s silences it: %t; the page says: %s", rule.Name, option, d.Silenced(trust), r[3])
			}
		}
	}
	compare(t, "What is doubted", rows, names)
}

// verbs are the places of arguments in a format.
var verbs = regexp.MustCompile(`%(\[\d\])?[sdqtv]`)

// inWords is what the words of a doubt look like in a scenario.
func inWords(words string) *regexp.Regexp {
	parts := verbs.Split(words, -1)
	for i, part := range parts {
		parts[i] = regexp.QuoteMeta(part)
	}
	// Without what may stand in front it is found sooner.
	return regexp.MustCompile(strings.TrimPrefix(strings.Join(parts, ".*"), ".*"))
}

// TestEachDoubtIsRaisedInAScenario looks for its words, or for a comment that names it.
func TestEachDoubtIsRaisedInAScenario(t *testing.T) {
	all := scenarios(t)
	told := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^# doubt: ([^.]+)\.`).FindAllStringSubmatch(all, -1) {
		told[m[1]] = true
	}
	// In a report as JSON, and where it is looked for by a pattern.
	all = strings.NewReplacer(`\"`, `"`, `\.`, ".", `\(`, "(", `\)`, ")", `\[`, "[").Replace(all)
	for _, d := range verdict.Doubts() {
		rule := d.Rule()
		isRaised := rule.Words != "" && inWords(rule.Words).MatchString(all)
		if !told[rule.Name] && !isRaised {
			t.Errorf("no scenario has the words of the doubt %s, or begins with # doubt: %[1]s.", rule.Name)
		}
		delete(told, rule.Name)
	}
	for name := range told {
		t.Errorf("a scenario is about the doubt %s, which there is not", name)
	}
	if strings.Contains(all, "%!") {
		t.Error("the words of a doubt have other arguments than their format wants")
	}
}
