package cli

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"sluice/cli/view"
	"sluice/pipeline/secret"
	"sluice/sink/s3"
	"sluice/sink/target"
	"sluice/source/config"
)

// s3Flags say how a bucket is reached; what they leave open the AWS environment
// says.
func s3Flags(f *pflag.FlagSet) {
	f.String("s3-endpoint", "", "`URL` of an S3 that is not Amazon's (default AWS_ENDPOINT_URL_S3)")
	f.String("s3-region", "", "`REGION` of the bucket (default AWS_REGION)")
	f.Bool("s3-path-style", false, "the bucket stands in the path (default only with an endpoint of one's own)")
}

// partSizeFlag is only for what uploads.
func partSizeFlag(f *pflag.FlagSet) {
	f.String("s3-part-size", "16MiB", "`SIZE` of the parts of an upload; 10,000 of them are the largest object")
}

// s3Options reads s3Flags and partSizeFlag.
func s3Options(c invocation, w *world, secrets *secret.Set) (s3.Options, error) {
	o := s3.Options{Endpoint: c.String("s3-endpoint"), Region: c.String("s3-region"), Secrets: secrets, Dial: w.dial, Now: w.now}
	if c.Changed("s3-path-style") {
		style := c.Bool("s3-path-style")
		o.PathStyle = &style
	}
	if text := c.String("s3-part-size"); text != "" {
		size, err := byteSize(text)
		if err != nil {
			return o, usagef("--s3-part-size %s: %w", text, err)
		}
		o.PartSize = size
	}
	return o, nil
}

// byteSize reads a number of bytes, such as 5242880, 16MiB or 16MB.
func byteSize(text string) (int64, error) {
	units := []struct {
		suffix string
		bytes  int64
	}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"B", 1}, {"", 1}}
	for _, u := range units {
		number, ok := strings.CutSuffix(text, u.suffix)
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(strings.TrimSpace(number), 10, 64)
		if err != nil || n <= 0 || n > math.MaxInt64/u.bytes {
			break
		}
		return n * u.bytes, nil
	}
	return 0, fmt.Errorf("must be a size such as 16MiB")
}

// openS3 makes the target of an s3:// output.
func openS3(o s3.Options) func(place string) (target.Target, error) {
	return func(place string) (target.Target, error) { return s3.New(o, place) }
}

// withBucket puts the bucket of the configuration into an output of s3:// that
// names none.
func withBucket(output string, doc *config.Document) (string, error) {
	rest, ok := strings.CutPrefix(output, "s3://")
	if !ok || rest != "" && rest[0] != '/' {
		return output, nil
	}
	if doc.OutputBucket == nil || doc.OutputBucket.Text() == "" {
		return "", usagef("--output %s: there is no config.outputBucket; set it, or write s3://BUCKET/…", output)
	}
	bucket := doc.OutputBucket.Text()
	if strings.ContainsAny(bucket, "/:") {
		return "", usagef("config.outputBucket: %q must be the bare name of a bucket", bucket)
	}
	return "s3://" + bucket + "/" + strings.TrimPrefix(rest, "/"), nil
}

func sweepCommand(w *world, secrets *secret.Set) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "sweep s3://bucket/prefix/ [flags]",
		Short: "list uploads that a killed run left open in a bucket; --abort ends the old ones",
		Long:  `One line each: when it began, its object, and what became of it.`,
		Example: `  sluice sweep s3://data/exports/
  sluice sweep s3://data/exports/ --abort --older-than 2h`,
		RunE: action(func(c invocation) error {
			if len(c.args) != 1 {
				return usagef("which bucket? Usage: %s", c.UseLine())
			}
			older := c.Duration("older-than")
			if older < 0 {
				return usagef("--older-than %v: must not be negative", older)
			}
			o, err := s3Options(c, w, secrets)
			if err != nil {
				return err
			}
			if _, err := s3.New(o, c.args[0]); err != nil {
				return &usageError{err}
			}
			uploads, err := s3.Sweep(c.Context(), o, c.args[0], older, c.Bool("abort"))
			aborted := 0
			for _, u := range uploads {
				began, became := "unknown", "open"
				if !u.Initiated.IsZero() {
					began = u.Initiated.UTC().Format(time.RFC3339)
				}
				if u.Aborted {
					became = "ended"
					aborted++
				}
				if _, err := fmt.Fprintf(w.stdout, "%s %s %s\n", began, became, u.URI); err != nil {
					return err
				}
			}
			if err == nil {
				w.say("%s open, %d ended", view.Count(len(uploads)-aborted, "upload"), aborted)
			}
			return err
		}),
	}
	f := cmd.Flags()
	s3Flags(f)
	f.Bool("abort", false, "end those older than --older-than")
	f.Duration("older-than", 24*time.Hour, "how old an upload must be to be ended: `DURATION`")
	return cmd
}
