//go:build unix

package cli

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/urfave/cli/v2"

	"sluice/pipeline/report"
	"sluice/source/expr"
)

// A row is a line of a table: its cells.
type row []string

// tables are the rows of a page by their heading, and by the first code in
// their first cell.
func tables(t *testing.T, file string) map[string]map[string]row {
	t.Helper()
	text := readText(t, file)
	all := map[string]map[string]row{}
	title := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if name := strings.TrimLeft(line, "#"); name != line && strings.HasPrefix(name, " ") {
			title = strings.TrimSpace(name)
		}
		if !strings.HasPrefix(line, "| `") {
			continue
		}
		var r row
		for cell := range strings.SplitSeq(strings.ReplaceAll(strings.Trim(line, "|"), `\|`, "\x00"), "|") {
			r = append(r, strings.ReplaceAll(strings.TrimSpace(cell), "\x00", "|"))
		}
		name := strings.Split(r[0], "`")[1]
		if strings.HasPrefix(name, "--") { // what stands behind a flag is its value
			name, _, _ = strings.Cut(name, " ")
		}
		if all[title] == nil {
			all[title] = map[string]row{}
		}
		if all[title][name] != nil {
			t.Errorf("%s: %s has two rows for %s", file, title, name)
		}
		all[title][name] = r
	}
	return all
}

// compare tells which names have no row, and which rows are about nothing.
func compare(t *testing.T, title string, rows map[string]row, names []string) {
	t.Helper()
	for _, name := range names {
		if rows[name] == nil {
			t.Errorf("%s: there is no row for %s", title, name)
		}
	}
	for name := range rows {
		if !slices.Contains(names, name) {
			t.Errorf("%s: there is no %s", title, name)
		}
	}
}

// TestTheReferenceHasARowForEveryMember compares the tables of docs/configuration.md with
// the schema, which is made of the very calls that read a configuration: no member
// without a row, no row without a member, the same defaults, and examples that fit.
func TestTheReferenceHasARowForEveryMember(t *testing.T) {
	schema := readSchema(t)
	rows := tables(t, filepath.Join("docs", "configuration.md"))
	seen := map[string]bool{"Functions": true, "Authentication types": true, "Paging methods": true, "Formats of answers": true}
	for title, members := range schema.sections() {
		seen[title] = true
		compare(t, title, rows[title], slices.Collect(maps.Keys(members)))
		for name, r := range rows[title] {
			member, there := members[name]
			if !there {
				continue
			}
			if len(r) != 4 || r[1] == "" {
				t.Errorf("%s: %s: a row has four cells: member, meaning, default, example", title, name)
				continue
			}
			var example any
			if err := json.Unmarshal([]byte(strings.Trim(r[3], "`")), &example); err != nil || !schema.value(member, example) {
				t.Errorf("%s: %s: the example %s does not fit (%v)", title, name, r[3], err)
			}
			schema.sameDefault(title+": "+name, member, r[2])
		}
	}
	for title := range rows {
		if !seen[title] {
			t.Errorf("the table below %q is about nothing that the test knows", title)
		}
	}
	compare(t, "Authentication types", rows["Authentication types"], schema.variants("authentication", "type"))
	compare(t, "Paging methods", rows["Paging methods"], schema.variants("pagination", "method"))
	compare(t, "Functions", rows["Functions"], expr.Names())
	compare(t, "Formats of answers", rows["Formats of answers"], schema.variants("format", "type"))
}

// sections are the members of a configuration by the heading below which the reference
// has them.
func (f *fits) sections() map[string]map[string]map[string]any {
	document := f.members(f.definition("document"), "")
	document["parameters"] = map[string]any{"$ref": "#/definitions/document"}
	job, child := f.members(f.definition("job"), ""), f.members(f.definition("child"), "")
	maps.Copy(job, f.members(f.definition("dataField"), "dataField."))
	for _, v := range asList(f.definition("format")["oneOf"]) {
		members := f.members(v.(map[string]any), "format.")
		delete(members, "format.type")
		maps.Copy(job, members)
	}
	for name := range job {
		delete(child, name)
	}
	maps.Copy(child, f.members(f.definition("placeholderObject"), "placeholders.*."))
	credentials := f.members(f.definition("authorization"), "authorization.")
	maps.Copy(credentials, f.members(f.definition("aws"), "aws."))
	all := map[string]map[string]map[string]any{
		"The document": document, "Jobs": job, "Child jobs": child, "Credentials": credentials,
		"`api`":           f.members(f.property("document", "api"), ""),
		"`config`":        f.members(f.property("document", "config"), ""),
		"Stop conditions": {},
	}
	for _, stop := range []string{"nextPageFlag", "sumStop"} {
		maps.Copy(all["Stop conditions"], f.members(f.definition(stop), stop+"."))
	}
	maps.Copy(all["Stop conditions"], f.members(f.definition("responseNumber"), "sumStop.add.*."))
	for _, section := range []string{"api", "config"} { // they have tables of their own
		for name := range document {
			if strings.HasPrefix(name, section+".") {
				delete(document, name)
			}
		}
		document[section] = f.property("document", section)
	}
	for definition, key := range map[string]string{"authentication": "type", "pagination": "method"} {
		for _, v := range asList(f.definition(definition)["oneOf"]) {
			members := f.members(v.(map[string]any), "")
			delete(members, key)
			for name, member := range members {
				stop, _, _ := strings.Cut(name, ".")
				if slices.Contains([]string{"emptyStop", "limitStop", "forceStop", "nextPageFlag", "sumStop", "trustEnd"}, stop) {
					all["Stop conditions"][name] = member
					delete(members, name)
				}
			}
			title := "`" + v.(map[string]any)["title"].(string) + "`"
			switch title {
			case "`oauth20.login`", "`login`":
				title = "`login` and `oauth20.login`"
				maps.Copy(members, f.members(f.definition("expires"), "expires."))
				maps.Copy(members, f.members(f.definition("loginRequest"), "loginRequest."))
			case "`url.query`", "`query`":
				title = "`query` and `url.query`"
			case "`response.param`":
				maps.Copy(members, f.members(f.definition("responseValue"), "params.*."))
				maps.Copy(members, f.members(f.definition("responseNumber"), "params.*.add.*."))
			case "`response.url`", "`zendesk.response.url`":
				title = "`response.url` and `zendesk.response.url`"
				maps.Copy(members, f.members(f.definition("urlKey"), "urlKey."))
			}
			if len(members) > 0 {
				all[title] = members
			}
		}
	}
	return all
}

func (f *fits) definition(name string) map[string]any {
	return f.root["definitions"].(map[string]any)[name].(map[string]any)
}

func (f *fits) property(definition, name string) map[string]any {
	return f.definition(definition)["properties"].(map[string]any)[name].(map[string]any)
}

// members are those of an object, with the members of objects in it in their place.
func (f *fits) members(object map[string]any, path string) map[string]map[string]any {
	all := map[string]map[string]any{}
	properties, _ := object["properties"].(map[string]any)
	for name, p := range properties {
		property := p.(map[string]any)
		switch {
		case property["enum"] != nil: // not implemented, so it may only be empty
			continue
		case property["properties"] == nil:
			all[path+name] = property
			continue
		}
		maps.Copy(all, f.members(property, path+name+"."))
	}
	return all
}

// variants are the names that a family has.
func (f *fits) variants(definition, key string) (names []string) {
	for _, v := range asList(f.definition(definition)["oneOf"]) {
		names = append(names, v.(map[string]any)["properties"].(map[string]any)[key].(map[string]any)["const"].(string))
	}
	return names
}

// sameDefault compares the cell of a default with the schema's. Words may stand where
// that has none, and for ifNotSet, whose default is another member.
func (f *fits) sameDefault(what string, member map[string]any, cell string) {
	f.t.Helper()
	want, there := member["default"]
	var value any
	inCode := json.Unmarshal([]byte(strings.Trim(cell, "`")), &value) == nil
	if inCode && value != want || inCode != there && (inCode || want != false) {
		f.t.Errorf("%s: the default is %v, not %q", what, want, cell)
	}
}

// TestTheExamplesOfFunctionsGiveWhatTheReferenceSays evaluates them, as parameters of a
// job.
func TestTheExamplesOfFunctionsGiveWhatTheReferenceSays(t *testing.T) {
	rows := tables(t, filepath.Join("docs", "configuration.md"))["Functions"]
	names := slices.Sorted(maps.Keys(rows))
	names = slices.DeleteFunc(names, func(name string) bool { return name == "jwt" }) // no plan shows a token
	var params []string
	for _, name := range names {
		params = append(params, `"`+name+`": {"function": "`+name+`", "args": `+strings.Trim(rows[name][2], "`")+`}`)
	}
	file := filepath.Join(t.TempDir(), "api.json")
	config := `{"api": {"baseUrl": "https://api.example.com"}, "config": {"jobs": [{"endpoint": "a", "method": "POST", "params": {` + strings.Join(params, ",") + `}}]}}`
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	status, stdout, stderr := offline(t, "plan", file)
	body := regexp.MustCompile(`--data-raw '(.*)'`).FindStringSubmatch(stdout)
	if status != statusOK || body == nil {
		t.Fatalf("status %d: %s%s", status, stdout, stderr)
	}
	var values map[string]any
	if err := json.Unmarshal([]byte(body[1]), &values); err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		got, _ := json.Marshal(values[name]) // it was JSON before
		if want := strings.Trim(rows[name][3], "`"); want != "…" && strings.Trim(string(got), `"`) != strings.ReplaceAll(want, "&", `\u0026`) {
			t.Errorf("%s gives %s, not %s", name, got, want)
		}
	}
}

// TestTheReferenceOfTheCommandLineHasARowForEveryFlag compares the tables of docs/cli.md
// with what the program has: commands, flags and their short names, defaults, exit
// statuses, formats and compressions.
func TestTheReferenceOfTheCommandLineHasARowForEveryFlag(t *testing.T) {
	rows := tables(t, filepath.Join("docs", "cli.md"))
	var commands []string
	for _, c := range newApp(newProgram(&world{})).VisibleCommands() {
		title := "`sluice " + c.Name + "`"
		commands = append(commands, strings.TrimSuffix(strings.TrimPrefix(usageLine(c), "sluice "), " [flags]"))
		var flags []string
		for _, f := range c.Flags {
			name, short := "--"+f.Names()[0], f.Names()[1:]
			flags = append(flags, name)
			r := rows[title][name]
			if len(short) > 0 && !strings.Contains(strings.Join(r, "|"), "`-"+short[0]+"`") {
				t.Errorf("%s: the row of %s does not name -%s", title, name, short[0])
			}
			usual := strings.Trim(f.(cli.DocGenerationFlag).GetDefaultText(), `"`)
			if !slices.Contains([]string{"", "false", "0", "0s"}, usual) && (len(r) < 3 || r[2] != "`"+usual+"`") {
				t.Errorf("%s: the default of %s is %s, not %v", title, name, usual, r)
			}
		}
		compare(t, title, rows[title], flags)
		delete(rows, title)
	}
	compare(t, "Commands", rows["Commands"], commands)
	compare(t, "Commands of the README", tables(t, "README.md")["Commands"], commands)
	compare(t, "Formats", rows["Formats"], listedBy(t, "--format"))
	compare(t, "Compressions", rows["Compressions"], listedBy(t, "--compress"))
	for _, title := range []string{"Commands", "Formats", "Compressions", "Placeholders of names"} {
		delete(rows, title)
	}
	for title := range rows {
		t.Errorf("the table below %q is about nothing that the test knows", title)
	}
}

// listedBy returns the names that a flag of run takes.
func listedBy(t *testing.T, flag string) []string {
	t.Helper()
	_, _, stderr := offline(t, "run", filepath.Join("fixtures", "config", "good", "smallest.json"), flag, "none such")
	list := regexp.MustCompile(`\(have (.*)\)`).FindStringSubmatch(stderr)
	if list == nil {
		t.Fatalf("%s tells no names: %s", flag, stderr)
	}
	return strings.Split(list[1], ", ")
}

// TestTheTablesOfExitStatusesAreWhole compares those of the README and of
// docs/exit-statuses.md with the constants of status.go.
func TestTheTablesOfExitStatusesAreWhole(t *testing.T) {
	var statuses []string
	for _, m := range regexp.MustCompile(`(?m)^\tstatus\w+\s+= (\d+)$`).FindAllStringSubmatch(readText(t, "cli/status.go"), -1) {
		statuses = append(statuses, m[1])
	}
	if len(statuses) < 8 {
		t.Fatalf("only %d statuses", len(statuses))
	}
	compare(t, "README.md", tables(t, "README.md")["Exit statuses"], statuses)
	compare(t, "docs/exit-statuses.md", tables(t, filepath.Join("docs", "exit-statuses.md"))["Exit statuses and retries"], statuses)
}

// scenarios are the texts of all.
func scenarios(t *testing.T) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("fixtures", "scenarios", "*", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%v, %v", files, err)
	}
	var all strings.Builder
	for _, file := range files {
		all.WriteString(readText(t, file))
	}
	return all.String()
}

// TestEveryEntryHasAScenarioAndIsNamed looks for each paging method, type of
// authentication and function in a configuration of the scenarios and in the README, and
// for each format and compression in a command of the scenarios and in the help.
func TestEveryEntryHasAScenarioAndIsNamed(t *testing.T) {
	scripts := scenarios(t)
	_, help, _ := offline(t, "run", "--help")
	schema, readme := readSchema(t), readText(t, "README.md")
	for _, family := range []struct {
		what     string
		names    []string
		scenario string // what a scenario must match, with the name in the place of NAME
		where    string
		text     string // what must match named there
		named    string
	}{
		{"type", schema.variants("authentication", "type"), `"type":\s*"NAME"`, "the README", readme, "`NAME`"},
		{"method", schema.variants("pagination", "method"), `"method":\s*"NAME"`, "the README", readme, "`NAME`"},
		{"function", expr.Names(), `"function":\s*"NAME"`, "the README", readme, "`NAME`"},
		{"format of answers", schema.variants("format", "type"), `"format":\s*("NAME"|\{"type": "NAME")`, "docs/configuration.md", readText(t, filepath.Join("docs", "configuration.md")), "`NAME`"},
		{"format", listedBy(t, "--format"), `(-f|--format) NAME\b`, "the help of --format", help, `--format .*\bNAME\b`},
		{"compression", listedBy(t, "--compress"), `(-z|--compress) NAME\b`, "the help of --compress", help, `--compress .*\bNAME\b`},
	} {
		for _, name := range family.names {
			has := func(text, pattern string) bool {
				return regexp.MustCompile(strings.ReplaceAll(pattern, "NAME", regexp.QuoteMeta(name))).MatchString(text)
			}
			if !has(scripts, family.scenario) {
				t.Errorf("no scenario has the %s %s", family.what, name)
			}
			if !has(family.text, family.named) && name != "url.query" { // an older name of query
				t.Errorf("%s does not name the %s %s", family.where, family.what, name)
			}
		}
	}
}

// TestPlacesThatNameFormatsAndTypesNameEach looks into the places that the tables do not
// follow: endings of names, the first table of a page.
func TestPlacesThatNameFormatsAndTypesNameEach(t *testing.T) {
	_, foreign, _ := strings.Cut(readText(t, "sink/format.go"), "var foreign = ")
	foreign, _, _ = strings.Cut(foreign, "\n}")
	for _, name := range listedBy(t, "--format") {
		if strings.Contains(foreign, `".`+name+`"`) {
			t.Errorf("%s: look at foreign in sink/format.go", name)
		}
	}
	table, _, _ := strings.Cut(readText(t, "docs/authentication.md"), "\n## ")
	schema := readSchema(t)
	for _, name := range schema.variants("authentication", "type") {
		if !strings.Contains(table, "\n| `"+name+"` |") && name != "url.query" { // an older name of query
			t.Errorf("the first table of docs/authentication.md has no row for %s", name)
		}
	}
}

func TestThePageHasTheRuleOfEachStopReason(t *testing.T) {
	got := map[report.StopReason][2]string{}
	for _, row := range tables(t, filepath.Join("docs", "missing-data.md"))["Stop reasons"] {
		for name := range strings.SplitSeq(strings.ReplaceAll(row[0], "`", ""), ", ") {
			got[report.StopReason(name)] = [2]string{row[1], row[2]}
		}
	}
	want := map[report.StopReason][2]string{}
	for _, reason := range report.StopReasons() {
		rule := reason.Rule()
		want[reason] = [2]string{"`" + rule.Verdict.String() + "`", rule.Words}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("stop reasons of docs/missing-data.md (-want +got):\n%s", d)
	}
}

func TestEachTypeOfAuthenticationIsTriedForLeaks(t *testing.T) {
	for _, name := range readSchema(t).variants("authentication", "type") {
		isTried := false
		for _, g := range authentications {
			isTried = isTried || strings.Contains(g.authentication, `"type": "`+name+`"`)
		}
		if !isTried {
			t.Errorf("authentications of leak_test.go lack the type %s", name)
		}
	}
}

// TestEachFlagOfARunHasAScenario looks for lines with the command and the flag: publishing has flags of a run, and a
// scenario of the one says nothing of the other.
func TestEachFlagOfARunHasAScenario(t *testing.T) {
	lines := strings.Split(scenarios(t), "\n")
	for _, command := range newApp(newProgram(&world{})).VisibleCommands() {
		if command.Name != "run" && command.Name != "publish" {
			continue
		}
		for _, f := range command.Flags {
			name := f.Names()[0]
			if strings.HasPrefix(name, "s3-") || strings.HasPrefix(name, "log-") {
				// All commands share them.
				continue
			}
			use := regexp.MustCompile(`\b` + command.Name + ` .*(--` + name + `\b)`)
			if !slices.ContainsFunc(lines, use.MatchString) {
				t.Errorf("no scenario calls %s with --%s", command.Name, name)
			}
		}
	}
}

// TestEachStopReasonEndsAWalkOfAScenario looks for it in the closing lines, or in a report.
func TestEachStopReasonEndsAWalkOfAScenario(t *testing.T) {
	all := scenarios(t)
	for _, reason := range report.StopReasons() {
		if reason == report.StopNoPage {
			// A shard's, which publishing replaces: source/walk has its tests.
			continue
		}
		name := regexp.QuoteMeta(string(reason))
		// Both begin with letters, which are found fast.
		told := regexp.MustCompile(`ended by ` + name + `\b`)
		reported := regexp.MustCompile(`stopReason"?:\s*"?` + name + `\b`)
		if !told.MatchString(all) && !reported.MatchString(all) {
			t.Errorf("no scenario has a walk that is ended by %q", reason)
		}
	}
}

// overLines is between the parts of a text that is written over several lines.
var overLines = regexp.MustCompile(`"\s*\+\s+"`)

// TestTheWarningsOfThePageAreThoseOfTheProgram looks for what stands between the … of
// each in the texts of the code.
func TestTheWarningsOfThePageAreThoseOfTheProgram(t *testing.T) {
	var files []string
	for _, rooms := range []string{"cli/*.go", "cli/run/*.go", "[ps]*/*.go", "[ps]*/*/*.go", "[ps]*/*/*/*.go"} {
		all, err := filepath.Glob(rooms)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, all...)
	}
	var code strings.Builder
	for _, file := range files {
		if !strings.HasSuffix(file, "_test.go") {
			code.WriteString(overLines.ReplaceAllString(readText(t, file), ""))
		}
	}
	rows := tables(t, filepath.Join("docs", "missing-data.md"))["Warnings"]
	for text := range rows {
		for _, part := range strings.Split(text, "…") {
			if part = strings.Trim(part, " `,()"); !strings.Contains(code.String(), part) {
				t.Errorf("nothing says %q of the warning %s", part, text)
			}
		}
	}
	if len(rows) < 10 {
		t.Errorf("the table has only %d rows", len(rows))
	}
}
