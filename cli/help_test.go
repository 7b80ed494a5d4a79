package cli

import (
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"sluice/fixtures/api"
	s3store "sluice/fixtures/s3"
)

// manifest is one of Airbyte, for the example of init.
const manifest = `
type: DeclarativeSource
streams:
  - type: DeclarativeStream
    name: users
    retriever:
      type: SimpleRetriever
      requester: {type: HttpRequester, url_base: "https://api.example.com/v1/", path: users}
      record_selector: {type: RecordSelector, extractor: {type: DpathExtractor, field_path: []}}
`

// apiDocument is a document of OpenAPI, for another example of it.
const apiDocument = `openapi: 3.0.3
servers: [{url: "https://api.example.com"}]
paths:
  /orders:
    get:
      security: []
      responses: {"200": {content: {application/json: {schema: {type: array, items: {type: object}}}}}}
  /users:
    get:
      security: []
      responses: {"200": {content: {application/json: {schema: {type: array, items: {type: object}}}}}}
`

// archive is what a browser has written down, for another example of it.
const archive = `{"log": {"entries": [{
  "request": {"method": "GET", "url": "https://shop.example.com/orders"},
  "response": {"status": 200, "content": {"text": "[{\"id\": 1}, {\"id\": 2}]"}}}]}}`

// TestTheExamplesOfEveryHelpWork runs each example of each command as it stands,
// with bash, beside an api.json for the demo API and buckets that are there.
func TestTheExamplesOfEveryHelpWork(t *testing.T) {
	if _, err := exec.LookPath("jq"); err != nil {
		t.Skip("the examples need jq, which is not installed")
	}
	server := httptest.NewServer(api.New(api.Options{Items: 50, NoLog: true}))
	defer server.Close()
	store := httptest.NewServer(s3store.New("bucket", "data"))
	defer store.Close()
	dir := t.TempDir()
	config := strings.Replace(string(api.Config(server.URL+"/", 20)), "open-sesame", "set by --attr-env", 1)
	files := map[string]string{"api.json": config, "password": "open-sesame", "manifest.yaml": manifest, "shop.har": archive, "openapi.yaml": apiDocument}
	person := httptest.NewServer(newOAuthServer())
	defer person.Close()
	files["person.json"] = strings.Replace(fmt.Sprintf(personConfig, person.URL+"/", ""), `{"attr": "#secret"}`, `"secret-1"`, 1)
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(dir, ".config/fish/completions"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, c := range newApp(newProgram(&world{})).VisibleCommands() {
		if c.UsageText == "" {
			t.Errorf("the help of %s has no examples", c.Name)
		}
		for example := range strings.Lines(c.UsageText) {
			example = strings.TrimSpace(example)
			t.Run(example, func(t *testing.T) {
				if !strings.Contains(example, "sluice "+c.Name) {
					t.Errorf("it is no example of %s", c.Name)
				}
				runExample(t, dir, example, "SLUICE_S3_ENDPOINT="+store.URL, "HOME="+dir)
			})
		}
	}
}

// runExample runs a line of bash. What serves until it is interrupted gets a port of
// its own, and is interrupted; what waits for shards does not wait, and says that there are none.
func runExample(t *testing.T, dir, example string, env ...string) {
	t.Helper()
	want := 0
	if strings.Contains(example, "--listen") {
		example = "timeout --signal INT 1 " + strings.NewReplacer(":8080", ":0", ":9000", ":0").Replace(example)
		want = 124
	}
	if strings.Contains(example, "sluice publish") {
		example, want = strings.Replace(example, "--wait 6h", "", 1), statusTemporary
	}
	if strings.Contains(example, "sluice login") {
		// The person's browser agrees at once.
		example = strings.Replace(example, "api.json", "person.json", 1)
		env = append(env, "BROWSER=curl -sSL -o browsed")
	}
	cmd := exec.CommandContext(t.Context(), "bash", "-euo", "pipefail", "-c", example)
	cmd.Dir = dir
	cmd.Env = append(env, "PATH="+os.Getenv("PATH"), "API_PASSWORD=open-sesame", "AWS_ACCESS_KEY_ID=key", "AWS_SECRET_ACCESS_KEY=secret", "AWS_REGION=eu-west-1")
	if !strings.Contains(example, "--attr") {
		cmd.Env = append(cmd.Env, "SLUICE_ATTR_FILE=#password=password")
	}
	out, err := cmd.CombinedOutput()
	if got := cmd.ProcessState.ExitCode(); got != want {
		t.Errorf("%v: %s", err, out)
	}
}

func TestTheHelpFitsAScreenAndNamesEveryCommand(t *testing.T) {
	status, help, _ := offline(t, "--help")
	lines := strings.Split(strings.TrimSuffix(help, "\n"), "\n")
	if status != statusOK || len(lines) > 24 {
		t.Errorf("status %d, %d lines", status, len(lines))
	}
	for _, line := range lines {
		if utf8.RuneCountInString(line) > 80 {
			t.Errorf("%q is longer than 80 characters", line)
		}
	}
	for _, c := range newApp(newProgram(&world{})).VisibleCommands() {
		if !strings.Contains(help, "\n  "+c.Name+" ") {
			t.Errorf("%s is not there", c.Name)
		}
		if utf8.RuneCountInString(c.Usage) > 80 {
			t.Errorf("%q is longer than 80 characters", c.Usage)
		}
	}
}
