package run

import (
	"os"
	"path/filepath"
	"strings"

	"sluice/sink/target"
	"sluice/source/config"
)

// checkPlace refuses a journal where outputs go: who reads these would read it, too, and its folder is private.
func (x *extraction) checkPlace(doc *config.Document) error {
	place := x.journal.path
	if place == "" || x.journal.streams {
		return nil
	}
	output, err := withBucket(x.options.Data.Output, doc)
	if err != nil {
		return err
	}
	below, among := amongOutputs(place, output)
	// Who reads a whole folder leaves out such names.
	isApart := strings.HasPrefix(below, "_") || strings.HasPrefix(below, ".")
	switch {
	case !among || isApart:
		return nil
	case below == "":
		return Usagef(
			"--checkpoint %s is where --output %s goes: name a place for the journal alone",
			place,
			output,
		)
	}
	return Usagef("--checkpoint %s is below --output %s, and who reads all of that reads the journal, too: "+
		"name another place, or let its name below the output begin with _", place, output)
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

// withBucket puts the bucket of the configuration into an output of s3:// that names none.
func withBucket(output string, doc *config.Document) (string, error) {
	rest, ok := strings.CutPrefix(output, "s3://")
	hasBucket := rest != "" && rest[0] != '/'
	if !ok || hasBucket {
		return output, nil
	}
	if doc.OutputBucket == nil || doc.OutputBucket.Text() == "" {
		return "", Usagef(
			"--output %s: there is no config.outputBucket; set it, or write s3://BUCKET/…",
			output,
		)
	}
	bucket := doc.OutputBucket.Text()
	if strings.ContainsAny(bucket, "/:") {
		return "", Usagef("config.outputBucket: %q must be the bare name of a bucket", bucket)
	}
	return "s3://" + bucket + "/" + strings.TrimPrefix(rest, "/"), nil
}
