//go:build unix

package cli

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestThePagesWorkWordForWord reads the README and every page of docs as a story, from
// top to bottom, in an empty folder of its own. What its blocks mean:
//
//	json, sql … NAME   is written to the file NAME
//	json               a configuration must validate, anything else must be JSON
//	http               from here on https://api.example.com gives these answers
//	                   (api.ParseScript), each as often as it says, and no others
//	console            lines that begin with "$ " are commands, one bash for the whole page;
//	                   what stands below is what they show on stdout, on stderr, or on
//	                   stderr and then stdout, where … is anything
//
// A command that fails must have $ echo $? behind it. A console block that begins with
// "# needs NAME" runs where there is a program called NAME; the test lists the others.
func TestThePagesWorkWordForWord(t *testing.T) {
	if _, err := exec.LookPath("jq"); err != nil {
		t.Skip("the pages pipe into jq, which is not on this machine")
	}
	there := 0
	for _, file := range pages(t) {
		text := readText(t, file)
		for _, b := range blocks(text) {
			if b.language == "console" {
				there += len(commands(b.text))
			}
		}
		t.Run(file, func(t *testing.T) {
			s := newStory(t)
			for _, b := range blocks(s.localised(text)) {
				s.tell(b)
			}
			s.endOfAnswers()
			for _, why := range s.leftOut {
				t.Logf("%s: left out: %s", file, why)
			}
		})
	}
	if there < 100 {
		t.Errorf("the pages have only %d commands", there)
	}
}

// pages are the README and what is in docs.
func pages(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	return append([]string{"README.md"}, files...)
}

// A pageBlock is a fenced block of a page.
type pageBlock struct {
	language, name string // the words behind the fence
	text           string
}

var fenced = regexp.MustCompile("(?ms)^```(\\w+)(?: ([^\\n]*))?\\n(.*?)^```$")

func blocks(text string) (all []pageBlock) {
	for _, m := range fenced.FindAllStringSubmatch(text, -1) {
		all = append(all, pageBlock{m[1], m[2], m[3]})
	}
	return all
}

// tell does what a block says.
func (s *story) tell(b pageBlock) {
	s.t.Helper()
	switch {
	case b.language == "http":
		s.answers(b.text)
	case b.language == "console":
		if need, _, ok := strings.Cut(b.text, "\n"); ok && strings.HasPrefix(need, "# needs ") {
			if why := s.lacks(strings.TrimPrefix(need, "# needs ")); why != "" {
				s.leftOut = append(s.leftOut, why)
				return
			}
		}
		s.console(b.text)
	case b.name != "":
		s.write(b.name, b.text)
		if b.language == "json" {
			s.validate(b.name, b.text)
		}
	case b.language == "json":
		s.write("example.json", b.text)
		s.validate("example.json", b.text)
	}
}

func (s *story) write(name, text string) {
	s.t.Helper()
	if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// validate reads JSON; if it is a configuration it must be good, once it has the
// attributes that the page leaves out of the file.
func (s *story) validate(name, text string) {
	s.t.Helper()
	var document struct {
		API, Parameters any
		Config          map[string]any
	}
	if err := json.Unmarshal([]byte(text), &document); err != nil {
		s.t.Errorf("%s: %v\n%s", name, err, text)
	}
	if document.API == nil && document.Parameters == nil {
		return
	}
	args := []string{"validate", filepath.Join(s.dir, name)}
	for _, m := range attribute.FindAllStringSubmatch(text, -1) {
		_, there := document.Config[m[1]]
		switch certificate, both := certificateFiles(s.t); {
		case there:
		case m[1] == "ca":
			args = append(args, "--attr-file", "ca="+certificate)
		case m[1] == "#private_key":
			args = append(args, "--attr", "#private_key="+clientCertificate)
		case m[1] == "#client" || m[1] == "#rsa_key":
			args = append(args, "--attr-file", m[1]+"="+both)
		default:
			args = append(args, "--attr", m[1]+"=some value")
		}
	}
	if status, _, stderr := offline(s.t, args...); status != statusOK {
		s.t.Errorf("%s\nis not good:\n%s", text, stderr)
	}
}

var attribute = regexp.MustCompile(`"attr": "([^"]+)"`)

// console runs the commands of a block and compares what they show.
func (s *story) console(text string) {
	s.t.Helper()
	all := commands(text)
	for i, c := range all {
		stdout, stderr, status := s.command(c.line)
		forgiven := status == 128+13 || i+1 < len(all) && strings.HasPrefix(all[i+1].line, "echo $?")
		if status != 0 && !forgiven {
			s.t.Errorf("$ %s\nends with %d:\n%s%s", c.line, status, stderr, stdout)
		}
		if c.shows != "" && !like(stdout, c.shows) && !like(stderr, c.shows) && !like(stderr+stdout, c.shows) {
			s.t.Errorf("$ %s\nshows\n%s%s\nthe page says\n%s", c.line, stderr, stdout, c.shows)
		}
	}
}

// A pageCommand is a line of a console block and what stands below it.
type pageCommand struct{ line, shows string }

// commands takes a block apart. A command goes on in the next line behind a \ and
// within a quoted text, which the page shows as lines that begin with "> ".
func commands(text string) (all []pageCommand) {
	for line := range strings.Lines(text) {
		n := len(all) - 1
		switch {
		case strings.HasPrefix(line, "$ "):
			all = append(all, pageCommand{line: strings.TrimSuffix(line[2:], "\n")})
		case n < 0: // the mark of a block
		case strings.HasPrefix(line, "> ") && all[n].shows == "":
			all[n].line += "\n" + strings.TrimSuffix(line[2:], "\n")
		default:
			all[n].shows += line
		}
	}
	return all
}

// like compares what was shown with what a page says, where … in a line stands for
// any text, and … as a line for any lines.
func like(got, want string) bool {
	var p strings.Builder
	for line := range strings.Lines(want) {
		if strings.TrimSpace(line) == "…" {
			p.WriteString(`(?:.*\n)*`)
			continue
		}
		p.WriteString(strings.ReplaceAll(regexp.QuoteMeta(strings.TrimRight(line, " \n")), "…", ".*") + ` *\n`)
	}
	return regexp.MustCompile("^" + p.String() + "$").MatchString(strings.TrimSuffix(got, "\n") + "\n")
}

var link = regexp.MustCompile(`\]\(([^)#:]*)(?:#([^)]*))?\)`)

// TestTheLinksOfThePagesLeadSomewhere follows those to files and headings of this
// repository.
func TestTheLinksOfThePagesLeadSomewhere(t *testing.T) {
	index := readText(t, filepath.Join("docs", "README.md"))
	for _, file := range append(pages(t), "CONTRIBUTING.md", "SECURITY.md", filepath.Join("docs", "workflows", "README.md")) {
		text := readText(t, file)
		if name := filepath.Base(file); file != filepath.Join("docs", "README.md") && !strings.Contains(index, name+")") {
			t.Errorf("docs/README.md has no link to %s", file)
		}
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			to := file
			if m[1] != "" {
				to = filepath.Join(filepath.Dir(file), m[1])
			}
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s: %v", file, err)
				continue
			}
			if m[2] != "" && !anchors(t, to)[m[2]] {
				t.Errorf("%s: %s has no heading %s", file, to, m[2])
			}
		}
	}
}

// anchors are the headings of a page, as links name them.
func anchors(t *testing.T, file string) map[string]bool {
	t.Helper()
	text := readText(t, file)
	all := map[string]bool{}
	for line := range strings.Lines(text) {
		if title := strings.TrimLeft(line, "#"); title != line && strings.HasPrefix(title, " ") {
			title = regexp.MustCompile(`[^\w -]`).ReplaceAllString(strings.ToLower(strings.TrimSpace(title)), "")
			all[strings.ReplaceAll(title, " ", "-")] = true
		}
	}
	return all
}
