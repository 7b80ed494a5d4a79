package cli

import (
	"runtime/debug"
	"slices"
	"strings"
)

// The linker sets both for a release. The commit is known without it where Go builds in a clone.
var (
	version  = "dev"
	revision string
)

// versionOf is the version that go install was asked for (…@v0.2.0), where the linker has set none. A build in a clone, which
// Go gives a version too, is of no version.
func versionOf(linked string) string {
	info, ok := debug.ReadBuildInfo()
	isRelease := ok && strings.HasPrefix(info.Main.Version, "v")
	if linked != "dev" || !isRelease || setting(info, "vcs") != "" {
		return linked
	}
	return strings.TrimPrefix(info.Main.Version, "v")
}

// setting is what the build had for key, empty if nothing is known.
func setting(info *debug.BuildInfo, key string) string {
	at := slices.IndexFunc(info.Settings, func(s debug.BuildSetting) bool { return s.Key == key })
	if at < 0 {
		return ""
	}
	return info.Settings[at].Value
}
