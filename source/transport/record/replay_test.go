package record_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sluice/source/transport/record"
)

func TestARecordingThatIsBrokenIsToldByFileAndLine(t *testing.T) {
	const head = "> GET http://api.test/\n> Accept: x\n"
	for text, want := range map[string]string{
		"":                               "line 1 is not one of a recording",
		"GET /":                          "line 1 is not one of a recording",
		head:                             "line 3 is not one of a recording",
		head + "< fine\n= whole\n\n":     `line 3: "fine" is no status`,
		head + "< 200 OK\n":              "line 4 is not one of a recording",
		head + "< 200 OK\n= whole\n":     "line 5 is not one of a recording",
		head + ">\nbody\n< 200 OK\n":     "line 4 is not one of a recording",
		head + "< 200 OK\n= whole\n\n[]": "",
		head + "! no answer\n":           "",
	} {
		dir := t.TempDir()
		for name, content := range map[string]string{"recording.json": "{}", "000001-a-1.http": text} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		_, err := record.OpenReplay(dir, nil)
		if want == "" && err == nil {
			continue
		}
		if err == nil || !strings.HasSuffix(err.Error(), "000001-a-1.http: "+want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestAFolderWithoutARecordingIsNone(t *testing.T) {
	dir := t.TempDir()
	if _, err := record.OpenReplay(dir, nil); err == nil || !strings.HasPrefix(err.Error(), "no recording: ") {
		t.Error(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "recording.json"), []byte("["), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := record.OpenReplay(dir, nil); err == nil || !strings.Contains(err.Error(), "recording.json: ") {
		t.Error(err)
	}
}

// FuzzReplay opens recordings that somebody has edited.
func FuzzReplay(f *testing.F) {
	f.Add("> GET http://h/a\n> Accept: */*\n>\n> body\n< 200 OK\n< Content-Type: application/json\n= whole\n\n[1]\n")
	f.Add("> GET http://h/a\n! refused\n")
	f.Add("> GET \n!! \n")
	f.Add("> GET http://h/a\n< 99999999999999999999\n= short\n\n")
	f.Fuzz(func(t *testing.T, text string) {
		dir := t.TempDir()
		for name, text := range map[string]string{"recording.json": "{}", "000001-a-1.http": text} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := record.OpenReplay(dir, nil); err != nil && !strings.Contains(err.Error(), "line ") {
			t.Errorf("%q: %v", text, err)
		}
	})
}
