package consent_test

import (
	"slices"
	"strings"
	"testing"

	"sluice/cli/consent"
)

func TestABrowserIsOpenedOnlyWhereAPersonSeesIt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		system, environment, want string
	}{
		{"linux", "", ""},
		{"linux", "DISPLAY=:0", "xdg-open"},
		{"linux", "WAYLAND_DISPLAY=wayland-0", "xdg-open"},
		{"linux", "DISPLAY=:0 SSH_CONNECTION=10.0.0.1", ""},
		{"linux", "BROWSER=firefox:chromium SSH_TTY=/dev/pts/1", "firefox"},
		{"darwin", "", "open"},
		{"darwin", "SSH_TTY=/dev/ttys000", ""},
		{"windows", "", "rundll32 url.dll,FileProtocolHandler"},
	} {
		set := map[string]string{}
		for _, pair := range strings.Fields(c.environment) {
			name, value, _ := strings.Cut(pair, "=")
			set[name] = value
		}
		got := consent.BrowserOf(c.system, func(name string) string { return set[name] })
		if !slices.Equal(got, strings.Fields(c.want)) {
			t.Errorf("%s with %q: %q, want %q", c.system, c.environment, got, c.want)
		}
	}
}
