package secret_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"sluice/pipeline/secret"
)

func TestARedactorFindsSecretsWhereverTheTextIsParted(t *testing.T) {
	secrets := &secret.Set{}
	long := strings.Repeat("long/", 2000)
	secrets.Add("pass word", "password", long)
	random := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		var text strings.Builder
		for text.Len() < 300_000 {
			text.WriteString(strings.Repeat("x", random.IntN(20_000)))
			text.WriteString([]string{"password", "pass+word", "cGFzc3dvcmQ", long, "passwor", "[secret]", "d"}[random.IntN(7)])
		}
		var got strings.Builder
		r := secret.NewWriter(&got, secrets)
		for rest := text.String(); rest != ""; {
			n := min(1+random.IntN(40_000), len(rest))
			if _, err := r.Write([]byte(rest[:n])); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		if err := r.Close(false); err != nil {
			t.Fatal(err)
		}
		if want := secrets.Redact(text.String()); got.String() != want {
			t.Fatalf("got %d bytes, want %d", got.Len(), len(want))
		}
		if !r.Found {
			t.Error("it does not say so")
		}
	}
}

func TestARedactorLeavesTheRestAlone(t *testing.T) {
	for _, secrets := range []*secret.Set{nil, {}} {
		var got strings.Builder
		r := secret.NewWriter(&got, secrets)
		_, _ = r.Write([]byte("a [secret] of nobody"))
		if err := r.Close(false); err != nil || got.String() != "a [secret] of nobody" || r.Found {
			t.Errorf("%q, %v, %v", got.String(), err, r.Found)
		}
	}
}

func TestARedactorShowsNoHalfOfASecretWhereTheTextIsCut(t *testing.T) {
	secrets := &secret.Set{}
	secrets.Add("password")
	for end := range len("password") {
		var got strings.Builder
		r := secret.NewWriter(&got, secrets)
		_, _ = r.Write([]byte("a password, " + strings.Repeat("x", 1000) + "password"[:end]))
		if err := r.Close(true); err != nil || strings.Contains(got.String(), "xp") || !strings.HasPrefix(got.String(), "a [secret], ") {
			t.Errorf("%q, %v", got.String(), err)
		}
	}
}
