package cli

import (
	"os"
	"path/filepath"
	"strings"

	"sluice/sink/target"
	"sluice/source/config"
)

// checkPlace refuses a journal where outputs go: who reads these would read it, too, and its folder is private.
func (e *extraction) checkPlace(doc *config.Document) error {
	if e.checkpoint == "" || isStdout(e.sink.Output, e.world.stdout) {
		return nil
	}
	output, err := withBucket(e.sink.Output, doc)
	if err != nil {
		return err
	}
	below, among := amongOutputs(e.checkpoint, output)
	// Who reads a whole folder leaves out such names.
	apart := strings.HasPrefix(below, "_") || strings.HasPrefix(below, ".")
	switch {
	case !among || apart:
		return nil
	case below == "":
		return usagef(
			"--checkpoint %s is where --output %s goes: name a place for the journal alone",
			e.checkpoint,
			output,
		)
	}
	return usagef("--checkpoint %s is below --output %s, and who reads all of that reads the journal, too: "+
		"name another place, or let its name below the output begin with _", e.checkpoint, output)
}

// amongOutputs tells whether a journal is in the folder of an output, or below a folder of outputs, and if below, the
// first step of the way.
func amongOutputs(journal, output string) (below string, among bool) {
	if strings.HasPrefix(output, "s3://") != strings.HasPrefix(journal, "s3://") {
		return "", false
	}
	if !strings.HasPrefix(output, "s3://") {
		many := os.IsPathSeparator(output[len(output)-1])
		folder := output
		if !many {
			// What is wrong with it is said when it is opened.
			file, _ := target.Resolve(output)
			folder = filepath.Dir(file.Path)
		}
		below, among = target.Below(journal, folder)
		return below, among && (many || below == "")
	}
	bucket, rest, _ := strings.Cut(strings.TrimPrefix(output, "s3://"), "/")
	prefix := rest[:strings.LastIndexByte(rest, '/')+1]
	below, among = strings.CutPrefix(journal, "s3://"+bucket+"/"+prefix)
	return below, among && (prefix == rest || below == "")
}
