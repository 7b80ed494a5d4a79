package run

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sluice/pipeline"
	"sluice/sink/s3"
	"sluice/sink/target"
)

// opened are the tokens of a process, at a file.
func opened(t *testing.T, file, runID string, now *time.Time) *Tokens {
	t.Helper()
	tokens := newTokens(&World{Now: func() time.Time { return *now }}, file, runID)
	if err := tokens.open(t.Context(), s3.Options{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(tokens.Close)
	return tokens
}

func TestALoginThatNobodyEndsIsTakenOver(t *testing.T) {
	now := time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC)
	tokens := opened(t, filepath.Join(t.TempDir(), "tokens.json"), "ours", &now)
	other := func(age time.Duration, machine string) *loginIntent {
		return &loginIntent{"other", now.Add(-age), "ATTEMPT", machine}
	}
	type saying struct {
		intent   *loginIntent
		isLocked bool
		want     string
	}
	all := map[string]saying{
		"nobody":               {nil, true, ""},
		"this process":         {&loginIntent{"ours", now, tokens.mark.Attempt(), ""}, false, ""},
		"a bucket, young":      {other(time.Second, target.Machine()), false, "is logging in"},
		"a bucket, old":        {other(10*time.Minute, target.Machine()), false, "logs in instead"},
		"another machine":      {other(10*time.Minute-1, "another"), true, "is logging in"},
		"another machine, old": {other(10*time.Minute, "another"), true, "logs in instead"},
		"no machine":           {other(0, ""), true, "is logging in"},
		"another clock":        {other(-11*time.Minute, "another"), true, "logs in instead"},
	}
	if target.Machine() != "" {
		all["this machine"] = saying{other(0, target.Machine()), true, "was killed"}
	}
	for name, c := range all {
		t.Run(name, func(t *testing.T) {
			tokens.unlock = nil
			if c.isLocked {
				tokens.unlock = func() {}
			}
			told, err := tokens.judge(c.intent)
			said := fmt.Sprint(told, err)
			if !strings.Contains(said, c.want) || c.want == "" && said != "<nil>" {
				t.Errorf("%q, %v; want %q", told, err, c.want)
			}
			if (err != nil) != (c.want == "is logging in") || err != nil && !pipeline.IsTemporary(err) {
				t.Errorf("the error is %v", err)
			}
		})
	}
}

func TestALoginThatTakesLongIsRenewed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tokens.json")
	began := time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC)
	now := began
	tokens := opened(t, file, "ours", &now)
	if _, _, err := tokens.Begin("seed", nil); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct{ after, want time.Duration }{
		{4 * time.Minute, 0}, {5 * time.Minute, 5 * time.Minute}, {9 * time.Minute, 5 * time.Minute}, {30 * time.Minute, 30 * time.Minute},
	} {
		now = began.Add(step.after)
		if err := tokens.Renew(); err != nil {
			t.Fatal(err)
		}
		if err := tokens.read(t.Context()); err != nil || !tokens.there.Intent.Time.Equal(began.Add(step.want)) {
			t.Errorf("after %v the login is of %v, %v", step.after, tokens.there.Intent, err)
		}
	}
	if err := tokens.End(map[string]string{"refresh": "r-1"}); err != nil {
		t.Fatal(err)
	}
	kept, _, err := opened(t, file, "next", &now).Begin("seed", nil)
	if err != nil || kept["refresh"] != "r-1" {
		t.Errorf("%v, %v", kept, err)
	}
}

func TestWhatAnotherProcessHasKeptStays(t *testing.T) {
	file, now := filepath.Join(t.TempDir(), "tokens.json"), time.Now()
	tokens := opened(t, file, "ours", &now)
	if _, _, err := tokens.Begin("seed", nil); err != nil {
		t.Fatal(err)
	}
	const theirs = `{"tokens":{"seed":{"values":{"refresh":"r-2"},"at":"2030-01-01T00:00:00Z"}}}`
	if err := os.WriteFile(file, []byte(theirs), 0o600); err != nil {
		t.Fatal(err)
	}
	err := tokens.End(map[string]string{"refresh": "r-1"})
	text, _ := os.ReadFile(file)
	if !pipeline.IsTemporary(err) || string(text) != theirs {
		t.Errorf("%v, %s", err, text)
	}
}

// Nobody has written to a place where nothing of another process stands.
func TestAPlaceThatIsGoneHasNoOtherWriter(t *testing.T) {
	const ours = `{"tokens":{"seed":{"values":{"refresh":"r-0"},"at":"2030-01-01T00:00:00Z"}}`
	intent := func(attempt string) string {
		return `,"intent":{"runId":"r","time":"2030-01-01T00:00:00Z","attempt":"` + attempt + `"}}`
	}
	for name, c := range map[string]struct {
		text    string
		isOther bool
	}{
		"empty":                    {"", false},
		"blank":                    {" \n", false},
		"no tokens":                {`{"tokens":{}}`, false},
		"what it began with":       {ours + `}`, false},
		"another intent":           {ours + intent("other"), true},
		"another intent, no token": {`{"tokens":{}` + intent("other"), true},
		"another token":            {`{"tokens":{"seed":{"values":{"refresh":"r-2"},"at":"2030-01-01T00:00:00Z"}}}`, true},
		"kept at another time":     {`{"tokens":{"seed":{"values":{"refresh":"r-0"},"at":"2030-01-01T00:00:01Z"}}}`, true},
		"another seed":             {`{"tokens":{"else":{"values":{"refresh":"r-0"},"at":"2030-01-01T00:00:00Z"}}}`, true},
	} {
		t.Run(name, func(t *testing.T) {
			file, now := filepath.Join(t.TempDir(), "tokens.json"), time.Date(2030, 1, 2, 0, 0, 0, 0, time.UTC)
			write(t, file, ours+`}`)
			tokens := opened(t, file, "ours", &now)
			if _, _, err := tokens.Begin("seed", nil); err != nil {
				t.Fatal(err)
			}
			write(t, file, c.text)
			err := tokens.End(map[string]string{"refresh": "r-1"})
			text, _ := os.ReadFile(file)
			if pipeline.IsTemporary(err) != c.isOther || (string(text) == c.text) != c.isOther || !c.isOther && err != nil {
				t.Errorf("%v, %s", err, text)
			}
		})
	}
}

// What a process has kept is still the last that a login gave where the file, or its folder, is gone at the next one.
func TestALoginGoesOnWithWhatThisProcessHasKept(t *testing.T) {
	folder, now := filepath.Join(t.TempDir(), "kept"), time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC)
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	tokens := opened(t, filepath.Join(folder, "tokens.json"), "ours", &now)
	for i, want := range []string{"", "r-0", "r-1"} {
		kept, _, err := tokens.Begin("seed", nil)
		if err != nil || kept["refresh"] != want {
			t.Fatalf("login %d goes on with %v, %v", i, kept, err)
		}
		if err := tokens.End(map[string]string{"refresh": fmt.Sprint("r-", i)}); err != nil {
			t.Fatal(err)
		}
		if err := os.RemoveAll(folder); err != nil {
			t.Fatal(err)
		}
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestOnlyTheLastSeedsAreKept(t *testing.T) {
	all, now := keptTokens{}, time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC)
	for i := range 3 * mostSeeds {
		all.Tokens = all.with(fmt.Sprint(i), map[string]string{"refresh": "r"}, now.Add(time.Duration(i)))
	}
	if _, last := all.Tokens[fmt.Sprint(3*mostSeeds-1)]; len(all.Tokens) != mostSeeds || !last {
		t.Errorf("%d: %v", len(all.Tokens), all.Tokens)
	}
}

// A run reads 64 MiB of a file at most.
func TestNoMoreIsKeptThanIsRead(t *testing.T) {
	at := time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC)
	long := map[string]string{"refresh": strings.Repeat("<", mostTokens*2/5)}
	kept := keptTokens{Tokens: map[string]keptToken{"new": {long, at.Add(2)}, "old": {long, at}, "middle": {long, at.Add(1)}}}
	text, err := kept.encode()
	if _, isThere := kept.Tokens["old"]; err != nil || isThere || len(kept.Tokens) != 2 || len(text) > mostTokens {
		t.Errorf("%d tokens of %d bytes, %v", len(kept.Tokens), len(text), err)
	}
	one := keptTokens{Tokens: map[string]keptToken{"new": {map[string]string{"refresh": strings.Repeat("x", mostTokens)}, at}}}
	if _, err := one.encode(); err == nil || !strings.Contains(err.Error(), "are kept") {
		t.Error(err)
	}
}
