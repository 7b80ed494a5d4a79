package cli

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"sluice/cli/run"
	"sluice/sink"
	"sluice/source/config"
)

// flagValues collects the values of a flag that may be repeated as they were given; the library would trim them.
type flagValues []string

func (l *flagValues) Set(value string) error {
	*l = append(*l, value)
	return nil
}

func (l *flagValues) String() string { return strings.Join(*l, " ") }

// listed is a flag with a list of values, which shells complete.
type listed struct {
	cli.StringFlag
	values []string
}

// choice is a flag that refuses what is not one of its values.
func choice(f cli.StringFlag, values ...string) *listed {
	f.Action = func(_ *cli.Context, value string) error {
		if slices.Contains(values, value) {
			return nil
		}
		return run.Usagef("--%s %s: unknown%s", f.Name, value, config.Have(value, values))
	}
	return &listed{f, values}
}

// byName describes a flag of these values, which the name of the output stands in for.
func byName(values []string, usual string) string {
	others := slices.DeleteFunc(values, func(value string) bool { return value == usual })
	last := len(others) - 1
	listed := strings.Join(append([]string{usual}, others[:last]...), ", ")
	return fmt.Sprintf("%s or %s (default what the name says, else %s)", listed, others[last], usual)
}

// formatFlag chooses how a command that only looks shows what it found.
func (p *program) formatFlag(usual string) cli.Flag {
	return choice(cli.StringFlag{
		Name: "format", Aliases: []string{"f"}, Value: usual, Destination: &p.format,
		Usage: "`FORMAT` of what is shown: text or json",
	}, "text", "json")
}

func (p *program) jobFlag() cli.Flag {
	return &cli.GenericFlag{
		Name:        "job",
		Destination: (*flagValues)(&p.options.Input.Jobs),
		Usage:       "only the job with this `ID` or data type; repeatable",
	}
}

func (p *program) stateFlag() cli.Flag {
	return &cli.StringFlag{
		Name:        "state",
		Destination: &p.options.Beside.State,
		Usage: "`FILE` or s3://bucket/key with the start of the last complete run of each job, " +
			"for time.previousStart, and its values for the function last",
	}
}

func (p *program) tokensFlag() cli.Flag {
	return &cli.StringFlag{
		Name:        "tokens",
		Destination: &p.options.Beside.Tokens,
		Usage: "`FILE` (0600) or s3://bucket/key that keeps what a login gives for the next one, such as a " +
			"refresh token that can be used only once",
	}
}

// logFlags say what stderr shows; usual is the level where nothing else is said.
func (p *program) logFlags(usual string) []cli.Flag {
	shown := &p.options.Shown
	return []cli.Flag{
		choice(
			cli.StringFlag{
				Name:        "log-level",
				Destination: &shown.Level,
				DefaultText: strconv.Quote(usual),
				Usage:       "`LEVEL` of what stderr shows: debug, info, warn or error",
			},
			"debug",
			"info",
			"warn",
			"error",
		),
		choice(
			cli.StringFlag{
				Name:        "log-format",
				Destination: &shown.Format,
				Value:       "text",
				Usage:       "`FORMAT` of what stderr shows: text or json",
			},
			"text",
			"json",
		),
	}
}

// dataFlags say what is written, and where.
func (p *program) dataFlags() []cli.Flag {
	return slices.Concat(p.outputFlags(), p.nameFlags(), p.tableFlags())
}

// outputFlags say where the data goes, and how it is written there.
func (p *program) outputFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{
			Name:        "output",
			Aliases:     []string{"o"},
			Value:       "-",
			Destination: &p.options.Data.Output,
			Usage: "`DEST`: - (stdout), FILE, DIR/ (one file per data type), s3://bucket/key, s3://bucket/prefix/; " +
				"without a bucket config.outputBucket",
		},
		choice(
			cli.StringFlag{
				Name:        "format",
				Aliases:     []string{"f"},
				Destination: &p.options.Data.Format,
				Usage:       "`FORMAT`: " + byName(sink.Formats(), sink.DefaultFormat),
			},
			sink.Formats()...),
		choice(
			cli.StringFlag{
				Name:        "compress",
				Aliases:     []string{"z"},
				Destination: &p.options.Data.Compress,
				Usage:       "`COMPRESSION`: " + byName(sink.Compressions(), sink.DefaultCompression),
			},
			sink.Compressions()...),
	}
}

// nameFlags say how the files of a folder are named.
func (p *program) nameFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{
			Name:        "name",
			Destination: &p.options.Data.Name,
			Usage: "`TEMPLATE` of names below DIR/; placeholders {dataType} {job} {date} {runId} {part} " +
				"{shard} {shards} {attr:NAME} {ext} (default {dataType}.{ext})",
		},
		sizeFlag(
			&p.options.Data.Roll,
			"roll",
			"",
			"after `SIZE` of text before compression, begin another file of a data type with the next page: "+
				"{dataType}-{part}.{ext} below DIR/",
		),
		&cli.StringFlag{
			Name:        "run-id",
			Destination: &p.options.RunID,
			Usage:       "`ID` of the run in names and report (default a new ULID)",
		},
		&cli.StringFlag{
			Name:        "date",
			Destination: &p.options.Date,
			Usage:       "date of the run in names: `YYYY-MM-DD` (default today, UTC)",
		},
	}
}

// tableFlags say what of an item is written.
func (p *program) tableFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{
			Name:        "columns",
			Destination: &p.options.Data.Columns,
			Usage:       "CSV columns, in order: `A,B` (default all that occur)",
		},
		&cli.StringFlag{
			Name:        "columns-from",
			Destination: &p.options.Data.ColumnsFrom,
			Usage:       "a `FILE` with one CSV column a line",
		},
		&cli.BoolFlag{
			Name:        "envelope",
			Destination: &p.options.Data.Envelope,
			Usage:       `wrap each item: {"job", "dataType", "page", "item"}`,
		},
	}
}

// apiFlags say what is asked of the API, and how.
func (p *program) apiFlags() []cli.Flag {
	requests := []cli.Flag{
		p.jobFlag(),
		&cli.IntFlag{
			Name:        "concurrency",
			Value:       1,
			Destination: &p.options.API.Concurrency,
			Usage:       "`N` API requests in flight",
		},
		&cli.StringFlag{
			Name: "rate", Usage: "API requests per time, such as 10/s or 300/m: `N[/s|/m|/h]` (default no bound)",
			Action: func(_ *cli.Context, text string) error {
				perSecond, ok := parseRate(text)
				p.options.API.Rate = perSecond
				if !ok {
					return run.Usagef(
						"--rate %s: must be a number of requests, such as 10/s, 300/m or 1000/h",
						text,
					)
				}
				return nil
			},
		},
		p.shardFlag(),
		p.tokensFlag(),
	}
	return slices.Concat(requests, p.wantFlags(), p.trafficFlags())
}

// wantFlags say what must hold before anything shows, and what the next run is to know. Publishing has them too.
func (p *program) wantFlags() []cli.Flag {
	return []cli.Flag{
		p.stateFlag(),
		&cli.BoolFlag{
			Name:        "strict",
			Destination: &p.options.Wants.Strict,
			Usage:       "publish nothing, and end with status 3, unless the data is known to be complete",
		},
		&cli.BoolFlag{
			Name:        "proof",
			Destination: &p.options.Wants.Proof,
			Usage: "make the verdict unverified where an end is only assumed. Before that, run sends at most two more " +
				"requests for each list, and publish none. With --strict nothing is published then",
		},
		&cli.Int64Flag{
			Name:        "min-items",
			Destination: &p.options.Wants.MinItems,
			Usage:       "publish nothing, and end with status 3, if a job has fewer than `N` items",
		},
		&cli.StringFlag{
			Name:        "expect",
			Destination: &p.options.Expect,
			Usage: "warn where columns differ from those of an earlier manifest or report: `FILE`, s3://bucket/key, " +
				"or last for the manifest that is replaced; with --strict publish nothing then, and end with status 3",
		},
	}
}

// trafficFlags say how the end is confirmed, and where answers are kept, or come from.
func (p *program) trafficFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{
			Name:        "confirm-end",
			Destination: &p.options.API.ConfirmEnd,
			Usage:       "after the end ask for one page more, to prove that it was the end, and for the page before the first one",
		},
		&cli.StringFlag{
			Name:        "record",
			Destination: &p.options.API.Record,
			Usage:       "write the HTTP traffic to files in `DIR`, secrets removed",
		},
		&cli.StringFlag{
			Name:        "replay",
			Destination: &p.options.API.Replay,
			Usage:       "run from the traffic that --record has written to `DIR`, without network",
		},
	}
}

// besideFlags say what stands beside the data, and what stderr shows.
func (p *program) besideFlags() []cli.Flag {
	return slices.Concat(p.reportFlags(), p.viewFlags())
}

// reportFlags say where reports go. Publishing has them too.
func (p *program) reportFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{
			Name:        "summary",
			Destination: &p.options.Beside.Summary,
			Usage:       "write the report to `FILE` as JSON, also when the run fails; - is the last line of stdout",
		},
		&cli.StringFlag{
			Name:        "report",
			Destination: &p.options.Beside.Page,
			Usage:       "write a page about the run to `FILE`, for a browser, also when the run fails",
		},
		&cli.StringFlag{
			Name:        "manifest",
			Destination: &p.options.Data.Manifest,
			Usage: "`TEMPLATE` of the manifest's name below DIR/; placeholders {date} {runId} {shards}, of run also " +
				"{job} {attr:NAME} (default _manifest.json in the deepest folder that all names share)",
		},
	}
}

// viewFlags show a run while it is under way.
func (p *program) viewFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{
			Name:        "trace",
			Destination: &p.options.Beside.Trace,
			Usage:       "write a timeline of the run to `FILE`, for ui.perfetto.dev or chrome://tracing",
		},
		choice(
			cli.StringFlag{
				Name:        "progress",
				Value:       "auto",
				Destination: &p.options.Shown.Progress,
				Usage:       "`WHEN` stderr shows a live view: auto (on a terminal), always or never",
			},
			"auto",
			"always",
			"never",
		),
	}
}

// attributeFlags set attributes of the configuration.
func (p *program) attributeFlags() []cli.Flag {
	set := &p.options.Input
	return []cli.Flag{
		&cli.GenericFlag{
			Name:        "attr",
			Destination: (*flagValues)(&set.Plain),
			Usage:       "set the attribute `K=V` of config",
		},
		&cli.GenericFlag{
			Name:        "attr-env",
			Destination: (*flagValues)(&set.Environment),
			Usage:       "set an attribute from the environment: `K=NAME`",
		},
		&cli.GenericFlag{
			Name:        "attr-file",
			Destination: (*flagValues)(&set.Files),
			Usage:       "set an attribute from a file, but for a final line break: `K=PATH`",
		},
		&cli.StringFlag{
			Name:        "env-file",
			Destination: &set.EnvironmentFile,
			Usage:       "look for variables that attributes name in `FILE`, too: NAME=VALUE lines",
		},
	}
}

// journalFlags say where the answers of a run are kept, for a process that continues it.
func (p *program) journalFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{
			Name:        "checkpoint",
			Destination: &p.options.Journal.Place,
			Usage: "keep the answers in a journal at `PLACE`, DIR/ or s3://bucket/prefix/, " +
				"and continue where a run with the same --run-id stopped",
		},
		&cli.DurationFlag{
			Name:        "checkpoint-every",
			Value:       10 * time.Second,
			Destination: &p.options.Journal.Every,
			Usage:       "write new answers to the journal at least every `DURATION`",
		},
	}
}

// bucketFlags say how a bucket is reached; the AWS environment says what they leave open.
func (p *program) bucketFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{
			Name:        "s3-endpoint",
			Destination: &p.options.Bucket.Endpoint,
			Usage:       "`URL` of an S3 that is not Amazon's (default AWS_ENDPOINT_URL_S3)",
		},
		&cli.StringFlag{
			Name:        "s3-region",
			Destination: &p.options.Bucket.Region,
			Usage:       "`REGION` of the bucket (default AWS_REGION)",
		},
		&cli.BoolFlag{
			Name: "s3-path-style", Usage: "the bucket stands in the path (default only with an endpoint of one's own)",
			Action: func(_ *cli.Context, style bool) error {
				p.options.Bucket.PathStyle = &style
				return nil
			},
		},
	}
}

// storedFlags say what all objects are stored with.
func (p *program) storedFlags() []cli.Flag {
	stored := &p.options.Bucket.Stored
	return []cli.Flag{
		&cli.StringFlag{
			Name:        "s3-sse",
			Destination: &stored.Encryption,
			Usage:       "how the server encrypts objects: AES256, aws:kms or aws:kms:dsse, as `WORD` (default as the bucket says)",
		},
		&cli.StringFlag{
			Name:        "s3-kms-key",
			Destination: &stored.Key,
			Usage:       "`KEY` of aws:kms, its id or ARN (default that of the bucket)",
		},
		&cli.StringFlag{
			Name:        "s3-storage-class",
			Destination: &stored.Class,
			Usage:       "`CLASS` of objects, such as STANDARD_IA (default STANDARD)",
		},
		&cli.GenericFlag{
			Name:        "s3-tag",
			Destination: (*flagValues)(&stored.Tags),
			Usage:       "a tag of each object, `NAME=VALUE`; ten at most",
		},
		&cli.StringFlag{
			Name:        "s3-acl",
			Destination: &stored.ACL,
			Usage:       "canned `ACL` of objects, such as bucket-owner-full-control",
		},
	}
}

// shardFlag makes the run one of several processes.
func (p *program) shardFlag() cli.Flag {
	return &cli.StringFlag{
		Name: "shard", Usage: "do part `I/N` of the run, I from 0, and leave it sealed: sluice publish makes " +
			"all parts visible",
		Action: func(_ *cli.Context, text string) error {
			shard, err := parseShard(text)
			p.options.Shard = shard
			return err
		},
	}
}

func parseShard(text string) (run.Shard, error) {
	if strings.Contains(text, "$(") {
		return run.Shard{}, run.Usagef("--shard %s: Kubernetes has not put the index there: "+
			"write it into the args of the container, not into its environment", text)
	}
	part, of, _ := strings.Cut(text, "/")
	i, err := strconv.Atoi(part)
	n, wrong := strconv.Atoi(of)
	isPart := i >= 0 && i < n && n <= run.MostShards
	if err != nil || wrong != nil || !isPart {
		return run.Shard{}, run.Usagef(
			"--shard %s: must be I/N, such as 0/20 to 19/20; at most %d shards",
			text,
			run.MostShards,
		)
	}
	return run.Shard{I: i, N: n}, nil
}

// parseRate returns requests per second.
func parseRate(text string) (perSecond float64, ok bool) {
	units := map[string]time.Duration{"": time.Second, "s": time.Second, "m": time.Minute, "h": time.Hour}
	number, unit, _ := strings.Cut(text, "/")
	n, err := strconv.ParseFloat(number, 64)
	per, isUnit := units[unit]
	if err != nil || !isUnit {
		return 0, false
	}
	perSecond = n / per.Seconds()
	// NaN is neither, and one that is too small to be told from 0 would be no bound.
	isRate := perSecond > 0 && n <= 1e6
	return perSecond, isRate
}

// sizes are the units of a number of bytes.
var sizes = map[string]int64{
	"":    1,
	"B":   1,
	"KB":  1e3,
	"KiB": 1 << 10,
	"MB":  1e6,
	"MiB": 1 << 20,
	"GB":  1e9,
	"GiB": 1 << 30,
}

// sizeFlag is a number of bytes, such as 5242880, 16MiB or 16MB.
func sizeFlag(n *int64, name, usual, usage string) cli.Flag {
	return &cli.StringFlag{
		Name: name, Value: usual, Usage: usage,
		Action: func(_ *cli.Context, text string) error {
			size, ok := parseSize(text)
			*n = size
			if !ok {
				return run.Usagef("--%s %s: must be a size such as 16MiB", name, text)
			}
			return nil
		},
	}
}

func parseSize(text string) (n int64, ok bool) {
	digits := strings.TrimRight(text, "KMGiB")
	unit, isUnit := sizes[text[len(digits):]]
	n, err := strconv.ParseInt(strings.TrimSpace(digits), 10, 64)
	if err != nil || !isUnit {
		return 0, false
	}
	fits := n > 0 && n <= math.MaxInt64/unit
	return n * unit, fits
}
