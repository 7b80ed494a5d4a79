package sink

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"sluice/sink/commit"
	"sluice/sink/target"
)

// An outputPlace is --output, taken apart.
type outputPlace struct {
	// As it was given.
	output string

	// "-" is standard output, "" files.
	scheme string

	// Where names are below.
	folder string

	// The one name, empty if there is one per data type.
	single string
}

func locate(output string) outputPlace {
	p := outputPlace{output: output}
	scheme, rest, hasScheme := strings.Cut(output, "://")
	switch {
	case output == "" || output == "-":
		p.scheme = "-"
		p.single = "-"
	case hasScheme:
		p.scheme = scheme
		bucket, key := splitLast(rest)
		p.folder = scheme + "://" + bucket + "/"
		p.single = key
	case os.IsPathSeparator(output[len(output)-1]):
		p.folder = output
	default:
		p.folder = filepath.Dir(output)
		p.single = filepath.Base(output)
	}
	return p
}

// splitLast splits at the last slash. Without one all of it is above: a bucket alone.
func splitLast(path string) (above, name string) {
	i := strings.LastIndexByte(path, '/')
	if i < 0 {
		return path, ""
	}
	return path[:i], path[i+1:]
}

// open returns the target. It does no I/O.
func (p outputPlace) open(o *Options) (target.Target, error) {
	switch p.scheme {
	case "-":
		return target.Stdout(o.Stdout), nil
	case "":
		folder := target.NewFolder(p.folder, true)
		folder.Mark = o.Mark
		return folder, nil
	}
	opener := o.Targets[p.scheme]
	if opener == nil {
		return nil, fmt.Errorf(
			"--output %s: unknown scheme %q "+
				"(have s3; or a file, a folder that ends in /, - for standard output)",
			p.output, p.scheme,
		)
	}
	t, err := opener(p.folder)
	if err != nil {
		err = fmt.Errorf("--output %s: %w", p.output, err)
	}
	return t, err
}

// isDevice tells whether the output is standard output, a device or a FIFO: its name says nothing.
func (p outputPlace) isDevice() bool {
	if p.scheme != "" {
		return p.scheme == "-"
	}
	at, err := target.Resolve(p.output)
	if err != nil || at.Info == nil {
		return false
	}
	mode := at.Info.Mode()
	return !mode.IsRegular() && !mode.IsDir()
}

// path is what a name stands for: two of one path are one file. The case of letters may make no difference.
func (p outputPlace) path(name string) string {
	if p.scheme != "" {
		return name
	}
	name = filepath.Join(p.folder, filepath.FromSlash(name))
	if at, err := target.Resolve(name); err == nil {
		name = at.Path
	}
	return strings.ToLower(name)
}

// flagsOf returns the flags that name files of this machine, or for a bucket objects below the place, by path.
func (p outputPlace) flagsOf(e *Environment) map[string]string {
	flags := map[string]string{}
	if p.scheme == "" {
		for flag, file := range e.Files {
			flags[strings.ToLower(file.Path)] = flag
		}
		return flags
	}
	for flag, uri := range e.Objects {
		name, isBelow := strings.CutPrefix(uri, p.folder)
		if isBelow {
			flags[name] = flag
		}
	}
	return flags
}

func (p outputPlace) shared(flags map[string]string) commit.SharedPlace {
	return commit.SharedPlace{URI: p.folder, Flags: flags, Path: p.path}
}
