//go:build !windows

package target

import (
	"io/fs"
	"syscall"
)

// Names is how many names a file has that info is of: more than one where there are hard links.
func Names(_ string, info fs.FileInfo) int {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(stat.Nlink) // of another type on each system
	}
	return 1
}
