package consent

import (
	"context"
	"os/exec"
	"runtime"
	"strings"
)

// Browser returns what opens an address in the browser of this machine; nil: there is none that a person would see.
func Browser(ctx context.Context, getenv func(string) string) func(address string) error {
	command := browserOf(runtime.GOOS, getenv)
	if command == nil {
		return nil
	}
	return func(address string) error {
		args := append(command[1:len(command):len(command)], address)
		//nolint:gosec // the person's own setting, and an address that is one argument
		browser := exec.CommandContext(context.WithoutCancel(ctx), command[0], args...)
		if err := browser.Start(); err != nil {
			return err
		}
		// A browser may run as long as it likes.
		return browser.Process.Release()
	}
}

// browserOf is the command that opens an address which is added to it; nil: there is none.
func browserOf(system string, getenv func(string) string) []string {
	if own, _, _ := strings.Cut(getenv("BROWSER"), ":"); own != "" {
		return strings.Fields(own)
	}
	isRemote := getenv("SSH_CONNECTION") != "" || getenv("SSH_TTY") != ""
	hasScreen := getenv("DISPLAY") != "" || getenv("WAYLAND_DISPLAY") != ""
	switch {
	case isRemote:
		return nil
	case system == "darwin":
		return []string{"open"}
	case system == "windows":
		return []string{"rundll32", "url.dll,FileProtocolHandler"}
	case hasScreen:
		return []string{"xdg-open"}
	}
	return nil
}
