package secret_test

import (
	"testing"

	"sluice/pipeline/secret"
)

func TestNamesSayWhatIsASecret(t *testing.T) {
	for name, want := range map[string]struct{ harmless, secret bool }{
		"Accept":             {harmless: true},
		"accept-language":    {harmless: true},
		"Content-Type":       {harmless: true},
		"USER-AGENT":         {harmless: true},
		"Authorization":      {secret: true},
		"Cookie":             {secret: true},
		"X-Api-Key":          {secret: true},
		"X-StorageApi-Token": {secret: true},
		"#id":                {secret: true},
		"Pin":                {secret: true},
		"pinned":             {},
		"X-Request-Id":       {},
		"":                   {},
	} {
		if h, s := secret.HarmlessHeader(name), secret.Name(name); h != want.harmless || s != want.secret {
			t.Errorf("%q: harmless %t, secret %t", name, h, s)
		}
	}
}
