package main

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// block finds the fenced blocks of a Markdown page: language and text.
var block = regexp.MustCompile("(?s)```(\\w+)\n(.*?)```")

// TestTheReadmeWorksWordForWord does what the README says, in an empty folder:
// its configuration is written down, its demo API listens, its commands run. Only
// what goes to a bucket of the reader's own, and the tests, are left out.
func TestTheReadmeWorksWordForWord(t *testing.T) {
	if _, err := exec.LookPath("jq"); err != nil {
		t.Skip("the README pipes into jq, which is not on this machine")
	}
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(readme), "127.0.0.1:8080", freeAddress(t))
	dir := t.TempDir()
	program, err := exec.LookPath("sluice")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(program, filepath.Join(dir, "sluice")); err != nil {
		t.Fatal(err)
	}
	for _, b := range block.FindAllStringSubmatch(text, -1) {
		if b[1] == "json" {
			if err := os.WriteFile(filepath.Join(dir, "users.json"), []byte(b[2]), 0o600); err != nil {
				t.Fatal(err)
			}
			continue
		}
		for command, want := range commands(b[2]) {
			readmeCommand(t, dir, command, want)
		}
	}
}

// freeAddress is one at which nothing listens: what the README names may be taken.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// commands are the lines of a console block that begin with $, in order, and
// what the block shows below them.
func commands(text string) func(yield func(command, output string) bool) {
	return func(yield func(command, output string) bool) {
		for part := range strings.SplitSeq("\n"+text, "\n$ ") {
			command, output, _ := strings.Cut(part, "\n")
			if command != "" && !yield(command, output) {
				return
			}
		}
	}
}

func readmeCommand(t *testing.T, dir, command, want string) {
	t.Helper()
	switch {
	case strings.HasPrefix(command, "go build"), strings.HasPrefix(command, "go test"), strings.Contains(command, "s3://my-bucket"):
		return
	case strings.Contains(command, "--listen"):
		server := exec.CommandContext(t.Context(), "bash", "-c", "exec "+command)
		server.Dir = dir
		if err := server.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = server.Process.Kill(); _ = server.Wait() })
		listening(t, dir, strings.Fields(command)[len(strings.Fields(command))-1])
		return
	}
	cmd := exec.CommandContext(t.Context(), "bash", "-o", "pipefail", "-c", strings.ReplaceAll(command, "go run .", "./sluice"))
	cmd.Dir = dir
	var complaints strings.Builder
	cmd.Stderr = &complaints
	got, err := cmd.Output()
	if err != nil && !strings.Contains(command, "| head") { // which ends what it reads from
		t.Errorf("%s: %v\n%s", command, err, complaints.String())
	}
	if want != "" && string(got) != want {
		t.Errorf("%s: got %q, want %q", command, got, want)
	}
}

// listening waits until something listens at the address.
func listening(t *testing.T, dir, address string) {
	t.Helper()
	for range 100 {
		probe := exec.CommandContext(t.Context(), "bash", "-c", "exec 3<>/dev/tcp/"+strings.Replace(address, ":", "/", 1))
		probe.Dir = dir
		if probe.Run() == nil {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("nothing listens at %s", address)
}
