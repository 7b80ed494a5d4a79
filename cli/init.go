package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"sluice/cli/view"
	"sluice/docs/apis"
	"sluice/pipeline"
	"sluice/source"
	"sluice/source/check"
	"sluice/source/config"
	"sluice/source/transport/record"
)

func initCommand(e *extraction) *cli.Command {
	w := e.world
	var name, file, command string
	var translate bool
	return &cli.Command{
		Name: "init", ArgsUsage: "[flags]",
		Usage: "write a configuration to begin with",
		Description: `Of a curl command, as browsers and the pages of APIs have it: sends that request,
and three more at most, finds the items and how to get the next page, and runs check.
Secrets do not go into the configuration. Before it may stand the command that gets
a token, for $TOKEN in it. Or for one of these APIs:
` + strings.Join(wrap(strings.Join(apis.Names(), ", ")), "\n"),
		UsageText: `  sluice init --from-curl 'curl "https://api.example.com/v1/orders?limit=50"' --no-requests
  sluice init --api zendesk -o zendesk.json`,
		Flags: []cli.Flag{
			&cli.StringFlag{
				Name:        "from-curl",
				Destination: &command,
				Usage:       "the `COMMAND`; without it, and without --api, it is read from stdin",
			},
			&cli.BoolFlag{Name: "no-requests", Destination: &translate, Usage: "only translate the command"},
			&cli.StringFlag{Name: "api", Destination: &name, Usage: "that of a popular API, by `NAME`"},
			&cli.StringFlag{
				Name:        "output",
				Aliases:     []string{"o"},
				Value:       "-",
				Destination: &file,
				Usage:       "`FILE` that the configuration becomes; it must not be there yet",
			},
		},
		Action: withNone(func(ctx context.Context) error {
			if name == "" {
				return e.fromCurl(ctx, command, file, translate)
			}
			text, command := apis.Config(name)
			if text == "" {
				return usagef("--api %q: unknown%s", name, config.Have(name, apis.Names()))
			}
			if err := w.writeNew(file, text); err != nil {
				return err
			}
			w.say(
				"docs/apis/%s.md says what there is to know; run it so:\n  %s",
				name,
				strings.TrimSpace(command),
			)
			return nil
		}),
	}
}

// fromCurl writes the configuration that a curl command leads to.
func (e *extraction) fromCurl(ctx context.Context, command, file string, translate bool) error {
	w := e.world
	if command == "" {
		if isTerminal(w.stdin) {
			w.say(
				"paste a curl command, and end with Ctrl-D on a line of its own (--api NAME is for popular APIs)",
			)
		}
		text, err := w.read(ctx, "-")
		if err != nil {
			return err
		}
		command = string(text)
	}
	// By what they hold.
	variables := map[string]string{}
	c, err := parseCurl(command, func(name string) string {
		variables[w.getenv(name)] = name
		return w.getenv(name)
	})
	if err != nil {
		return usagef("%w", err)
	}
	if len(c.leftOut) > 0 {
		w.say("left out: %s", strings.Join(c.leftOut, ", "))
	}
	say := func(format string, args ...any) { w.say("%s", view.OneLine(fmt.Sprintf(format, args...))) }
	x := &explorer{curl: c, say: say, seen: map[string]func() *http.Response{}, o: e.source}
	x.o.Wrap, x.o.Observer = x.wrap, pipeline.Observers{}
	if x.o.Proxy, err = proxy(w.getenv, e.secrets); err != nil {
		return err
	}
	field, paging := "", ""
	if !translate {
		if field, paging, err = x.explore(ctx); err != nil {
			return fmt.Errorf("%w (--no-requests only translates)", err)
		}
	}
	k := &checker{secrets: e.secrets, text: view.Printable(w.stderr)}
	x.o.Observer = k
	src, err := x.compile(field, paging)
	if err == nil {
		err = w.writeNew(file, string(c.configuration(field, paging)))
	}
	if err != nil {
		return err
	}
	if !translate {
		err = k.check(ctx, src)
	}
	run := "sluice run " + cmp.Or(strings.TrimPrefix(file, "-"), "api.json")
	needs := ""
	for _, a := range c.secrets {
		name := variables[a.Value]
		if name == "" {
			name = "API_" + strings.TrimPrefix(
				strings.ToUpper(strings.ReplaceAll(a.Name[1:], "-", "_")),
				"API_",
			)
			needs += " " + name
		}
		run += " --attr-env '" + a.Name + "=" + name + "'"
	}
	if needs != "" {
		w.say("set these variables of the environment to the secrets:%s", needs)
	}
	w.say("run it so:\n  %s", run)
	return err
}

// An explorer finds where the items of an API are and how it pages, in four requests at most besides that of a login.
type explorer struct {
	*curl
	o source.Options

	// Check asks for the second page, too.
	second bool

	say func(format string, args ...any)

	// Answers, by the request.
	seen map[string]func() *http.Response
}

// compile makes a source of the configuration.
func (x *explorer) compile(field, paging string) (*source.Source, error) {
	var p config.Problems
	docs := decode("the configuration", x.configuration(field, paging), x.secrets, x.o.Secrets, &p)
	// Each would be one more request.
	docs[0].MaxRetries = 0
	return source.New(docs, x.o, &p), p.Err()
}

// look is what check finds.
func (x *explorer) look(ctx context.Context, field, paging string) (c check.Result, err error) {
	src, err := x.compile(field, paging)
	if err == nil {
		err = src.Check(ctx, x.second, func(found check.Result) error {
			c = found
			return found.Err
		})
	}
	return c, err
}

type roundTrip func(*http.Request) (*http.Response, error)

// RoundTrip implements [http.RoundTripper].
func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func (x *explorer) wrap(next http.RoundTripper, e *record.Exchange) http.RoundTripper {
	return roundTrip(func(r *http.Request) (*http.Response, error) {
		key := r.URL.String() + e.Request.RedactedBody(x.o.Secrets)
		if x.seen[key] == nil {
			if len(x.seen) == 4 && x.login == nil || len(x.seen) == 5 {
				return nil, &record.Error{Text: "that would be one request too many", Lasting: true}
			}
			resp, err := next.RoundTrip(r)
			if err != nil {
				return nil, err
			}
			body, err := io.ReadAll(io.LimitReader(resp.Body, maxFile))
			if err = errors.Join(err, resp.Body.Close()); err != nil {
				return nil, err
			}
			x.seen[key] = func() *http.Response {
				again := *resp
				again.Body = io.NopCloser(bytes.NewReader(body))
				return &again
			}
		}
		return x.seen[key](), nil
	})
}

// explore returns dataField and the pagination, and says what is sure.
func (x *explorer) explore(ctx context.Context) (field, paging string, err error) {
	if x.login != nil {
		answer, err := (&explorer{curl: x.login, o: x.o}).look(ctx, ".", "")
		if err != nil {
			return "", "", fmt.Errorf("the login: %w", err)
		}
		if !x.findToken(answer.Page.Item) {
			return "", "", errors.New("the answer to the first command has no member that looks like a token")
		}
		x.say("sure: the first command is the login, whose answer has the token in %s", x.found)
	}
	whole, err := x.look(ctx, ".", "")
	if err != nil {
		return "", "", err
	}
	switch all := whole.Page.Arrays; {
	case x.login == nil && x.method != "" && whole.Page.Object && x.findToken(whole.Page.Item) && (len(all) == 0 || x.expires != ""):
		return "", "", usagef(
			"this is a login, whose answer has %s: write the command that asks for items after it, with $TOKEN for what the login gives",
			x.found,
		)
	case whole.Page.Items == 0 || whole.Page.Object && len(all) == 0:
		x.say(
			"guessed: there are no items now, so how to page is not known; if the answer is itself an item, write \"dataField\": \".\"",
		)
		return "", "", nil
	case !whole.Page.Object:
		x.say("sure: the answer is an array of the items")
	case len(all) == 1:
		field = all[0]
		x.say("sure: the items are in %s", field)
	default:
		field = all[0]
		x.say("guessed: the items are in %s, and not in %s", field, strings.Join(all[1:], ", "))
	}
	first, err := x.look(ctx, field, "")
	if err != nil {
		return "", "", err
	}
	tries := []string{string(first.Pagination)}
	// What is no GET is sent again only if the answer says so.
	if x.method == "" {
		tries = append(tries, first.Guesses...)
	}
	x.second = true
	defer func() { x.second = false }()
	for i, try := range tries {
		if try == "" {
			continue
		}
		c, err := x.look(ctx, field, try)
		if err == nil && c.Others > 0 && bytes.Equal(c.Page.Item, first.Page.Item) {
			word := "sure"
			// Nothing in the answer says so.
			if i > 0 {
				word = "likely"
			}
			x.say(
				"%s: pages follow by %s: the second has %s that the first, which the command asks for, lacks",
				word,
				try,
				view.Count(c.Others, "item"),
			)
			return field, try, nil
		} else if err == nil {
			err = errors.New("it brings few other items, or none")
		}
		x.say("tried: %s: %s", try, x.o.Secrets.Redact(err.Error()))
	}
	x.say(
		"guessed: this is all, since no way to a second page was found; a command that asks for fewer items a page may show one",
	)
	return field, "", nil
}

// writeNew writes a file that is not there yet; - is stdout.
func (w *world) writeNew(name, text string) error {
	if name == "-" {
		_, err := io.WriteString(view.Printable(w.stdout), text)
		return err
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return usagef("--output: %w: name a file that is not there yet", err)
	}
	_, err = io.WriteString(f, text)
	return errors.Join(err, f.Close())
}
