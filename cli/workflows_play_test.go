//go:build unix

package cli

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"go.yaml.in/yaml/v3"

	"sluice/fixtures/api"
	s3store "sluice/fixtures/s3"
	"sluice/pipeline"
)

// A stage is where the workflows are played, as plain processes: the demo API, which
// is out of order for as many requests as failing says, and the bucket my-bucket.
type stage struct {
	t       *testing.T
	store   *s3store.Server
	storeAt string
	failing atomic.Int32
	config  string // stands for /etc/sluice/api.json
	xcom    string // stands for /airflow/xcom/return.json
	env     []string
}

func newStage(t *testing.T) *stage {
	t.Helper()
	s := &stage{t: t, store: s3store.New("my-bucket")}
	demo := api.New(api.Options{Items: 50, NoLog: true})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.failing.Add(-1) >= 0 {
			http.Error(w, "out of order", http.StatusServiceUnavailable)
			return
		}
		demo.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	store := httptest.NewServer(s.store)
	t.Cleanup(store.Close)
	s.storeAt = store.URL

	config := strings.NewReplacer(
		`    "#password": "open-sesame",
`, "",
		`"api": {`, `"api": {"retryConfig": {"maxRetries": 0},`,
		`"jobs": [
      {`, `"jobs": [
      {"id": "first", "endpoint": "v1/users", "dataField": "users", "dataType": "users"},
      {"id": "second",`,
	).Replace(string(api.Config(server.URL+"/", 20)))
	dir := t.TempDir()
	s.config, s.xcom = filepath.Join(dir, "api.json"), filepath.Join(dir, "return.json")
	if err := os.WriteFile(s.config, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	s.env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "API_PASSWORD=" + api.Password, "AWS_ENDPOINT_URL_S3=" + store.URL,
		"AWS_ACCESS_KEY_ID=key", "AWS_SECRET_ACCESS_KEY=secret", "AWS_REGION=us-east-1", "AWS_DEFAULT_REGION=us-east-1",
	}
	return s
}

// play runs a program.
func (s *stage) play(line []string, env ...string) (status int, stdout string) {
	s.t.Helper()
	line = slices.Clone(line)
	for i := range line {
		line[i] = strings.NewReplacer("/etc/sluice/api.json", s.config, "/airflow/xcom/return.json", s.xcom).Replace(line[i])
	}
	cmd := exec.CommandContext(s.t.Context(), line[0], line[1:]...)
	cmd.Dir = filepath.Dir(s.config)
	cmd.Env = append(slices.Clone(s.env), env...)
	var complaints strings.Builder
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	if err != nil && cmd.ProcessState == nil {
		s.t.Fatal(err)
	}
	s.t.Logf("%s: status %d\n%s%s", strings.Join(line, " "), cmd.ProcessState.ExitCode(), out, complaints.String())
	return cmd.ProcessState.ExitCode(), string(out)
}

// good is play, for what must end well.
func (s *stage) good(line []string, env ...string) (stdout string) {
	s.t.Helper()
	status, stdout := s.play(line, env...)
	if status != statusOK {
		s.t.Fatalf("%s: status %d", strings.Join(line, " "), status)
	}
	return stdout
}

// wantKeys compares what is visible in the bucket.
func (s *stage) wantKeys(want ...string) {
	s.t.Helper()
	objects, err := s.store.Objects("my-bucket")
	if err != nil {
		s.t.Fatal(err)
	}
	var got []string
	for _, o := range objects {
		got = append(got, o.Key)
	}
	if !slices.Equal(got, want) {
		s.t.Errorf("the bucket has\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestTheStepsOfTheArgoTemplateFillABucket plays the template: jobs, a run for each
// of them, tried again after 75, and the look at the manifests, with the aws CLI.
func TestTheStepsOfTheArgoTemplateFillABucket(t *testing.T) {
	needed(t, "aws")
	var workflow struct {
		Spec struct {
			Templates []struct {
				Name      string
				Container struct {
					Command, Args []string
					Env           []struct{ Name, Value string }
				}
			}
		}
	}
	if err := yaml.Unmarshal([]byte(readText(t, "docs/workflows/argo-workflow-template.yaml")), &workflow); err != nil {
		t.Fatal(err)
	}
	s := newStage(t)
	lines, env := map[string][]string{}, map[string]string{}
	for _, template := range workflow.Spec.Templates {
		c := template.Container
		lines[template.Name] = append(c.Command, c.Args...)
		for _, e := range c.Env {
			env[e.Name] = e.Value
		}
	}
	step := func(name string, values map[string]string) (int, string) {
		line := fill(t, lines[name], values)
		line[0] = strings.TrimPrefix(line[0], "/") // the program is on the PATH
		var settings []string
		for variable, value := range env {
			settings = append(settings, variable+"="+fill(t, []string{value}, values)[0])
		}
		return s.play(line, settings...)
	}

	_, ids := step("jobs", nil)
	var jobs []string
	if err := json.Unmarshal([]byte(ids), &jobs); err != nil || len(jobs) != 2 {
		t.Fatalf("the jobs are %s: %v", ids, err)
	}
	tries := 0
	s.failing.Store(1)
	for _, job := range jobs {
		status := statusTemporary
		for ; status == statusTemporary && tries < 5; tries++ {
			status, _ = step("run", map[string]string{"{{inputs.parameters.job}}": job})
		}
		if status != statusOK {
			t.Fatalf("job %s: status %d", job, status)
		}
	}
	if tries != 3 {
		t.Errorf("%d tries, want one more than jobs", tries)
	}
	prefix := "exports/" + fill(t, []string{"{{workflow.uid}}"}, nil)[0] + "/"
	s.wantKeys(prefix+"_manifest-first.json", prefix+"_manifest-second.json", prefix+"first/users.ndjson.gz", prefix+"second/users.ndjson.gz")

	look := func(ids string) int {
		status, _ := step("manifests", map[string]string{"{{inputs.parameters.jobs}}": ids})
		return status
	}
	if status := look(strings.TrimSpace(ids)); status != 0 {
		t.Errorf("manifests of all jobs: status %d", status)
	}
	if status := look(`["first","second","third"]`); status == 0 {
		t.Error("a manifest is missing, and nobody noticed")
	}
	s.spoil(prefix + "_manifest-second.json")
	if status := look(strings.TrimSpace(ids)); status == 0 {
		t.Error("a job is incomplete, and nobody noticed")
	}
}

// spoil makes a manifest one of incomplete data.
func (s *stage) spoil(key string) {
	s.t.Helper()
	text, err := s.store.Read("my-bucket", key)
	if err != nil {
		s.t.Fatal(err)
	}
	text = bytes.Replace(text, []byte(`"verdict": "complete"`), []byte(`"verdict": "incomplete"`), 1)
	request, err := http.NewRequestWithContext(s.t.Context(), http.MethodPut, s.storeAt+"/my-bucket/"+key, bytes.NewReader(text))
	if err != nil {
		s.t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil || answer.StatusCode != http.StatusOK {
		s.t.Fatal(answer, err)
	}
	_ = answer.Body.Close()
}

func TestTheCronJobFillsABucketUnderTheNameOfItsJob(t *testing.T) {
	s := newStage(t)
	lines := workflowLines(t, "docs/workflows/cronjob.yaml")
	s.good(append([]string{"sluice"}, fill(t, lines[0], nil)...), "SLUICE_RUN_ID=sluice-29396355")
	s.wantKeys("exports/sluice-29396355/_manifest.json", "exports/sluice-29396355/users.ndjson.gz")
}

// TestTheTasksOfTheDAGsGiveTheirReports plays both DAGs. BashOperator takes the last
// line of stdout and stderr, which it makes one.
func TestTheTasksOfTheDAGsGiveTheirReports(t *testing.T) {
	commands := dagCommands(t, "docs/workflows/airflow_dag.py")
	s := newStage(t)
	pod, jobs, run := commands[0].Arguments, commands[1].Bash, commands[2].Bash
	wantReport := func(text string, items int64) {
		t.Helper()
		var report pipeline.Report
		if err := json.Unmarshal([]byte(text), &report); err != nil || report.Status != "succeeded" {
			t.Fatalf("%q is no good report: %v", text, err)
		}
		got := int64(0)
		for _, job := range report.Jobs {
			got += job.Items
		}
		if got != items {
			t.Errorf("%d items, want %d", got, items)
		}
	}
	s.good(append([]string{"sluice"}, fill(t, pod, nil)...))
	wantReport(readText(t, s.xcom), 100)

	merged := func(script string, env ...string) string {
		lines := strings.Split(strings.TrimSpace(s.good([]string{"bash", "-c", "exec 2>&1\n" + fill(t, []string{script}, nil)[0]}, env...)), "\n")
		return lines[len(lines)-1]
	}
	var ids []string
	if err := json.Unmarshal([]byte(merged(jobs)), &ids); err != nil {
		t.Fatal(err)
	}
	for _, id := range ids {
		wantReport(merged(run, "SLUICE_JOB="+id), 50)
	}
	const prefix = "exports/2026-11-21/"
	s.wantKeys(prefix+"_manifest-first.json", prefix+"_manifest-second.json", prefix+"_manifest.json",
		prefix+"first/users.ndjson.gz", prefix+"second/users.ndjson.gz", prefix+"users.ndjson.gz")
}

// TestTheGitHubJobTriesAgain plays its shell scripts but for the download.
func TestTheGitHubJobTriesAgain(t *testing.T) {
	var workflow struct {
		Jobs map[string]struct{ Steps []struct{ Name, Run string } }
	}
	if err := yaml.Unmarshal([]byte(readText(t, "docs/workflows/github-actions.yaml")), &workflow); err != nil {
		t.Fatal(err)
	}
	needed(t, "jq")
	s := newStage(t)
	s.failing.Store(1)
	page := filepath.Join(filepath.Dir(s.config), "summary.md")
	for _, step := range workflow.Jobs["extract"].Steps {
		if step.Run != "" && step.Name != "Install sluice" {
			s.good([]string{"bash", "-e", "-c", "sleep() { :; }\n" + step.Run}, "RUN_ID=17", "GITHUB_STEP_SUMMARY="+page)
		}
	}
	s.wantKeys("exports/17/_manifest.json", "exports/17/users.ndjson.gz")
	want := "succeeded, complete\n\n| job | items | ended by |\n|---|---|---|\n| first | 50 | underflow |\n| second | 50 | underflow |\n"
	if got := readText(t, page); got != want {
		t.Errorf("the summary is\n%s\nwant\n%s", got, want)
	}
}
