package run

import (
	"os"
	"path/filepath"
	"strings"

	"sluice/sink/target"
	"sluice/source/config"
)

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
