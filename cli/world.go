package cli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/net/http/httpproxy"

	"sluice/cli/view"
	"sluice/pipeline/secret"
)

// world is everything that the program touches of what is around it.
type world struct {
	stdin  io.Reader
	stdout io.Writer
	stderr io.Writer
	getenv func(string) string

	// As package os gives it.
	environ []string

	now func() time.Time

	// nil: the network.
	dial func(ctx context.Context, network, address string) (net.Conn, error)

	// Stdin has been read.
	drained bool

	// Of a run, for signals:
	stage atomic.Int32

	// Closed once what is stuck is not waited for any more; nil: never.
	hurry chan struct{}
}

const (
	// Nothing shows yet.
	working = iota
	// All is sealed, and becomes visible.
	publishing
	// All is visible.
	published
)

func realWorld() *world {
	return &world{
		stdin:   os.Stdin,
		stdout:  pipe{os.Stdout, closedAtStart()},
		stderr:  os.Stderr,
		getenv:  os.Getenv,
		environ: os.Environ(),
		now:     time.Now,
		hurry:   make(chan struct{}),
	}
}

// read returns what is in a file, or in stdin (-). It waits for who writes into a pipe only until ctx ends.
func (w *world) read(ctx context.Context, name string) ([]byte, error) {
	if name == "-" && w.drained {
		return nil, errors.New("stdin can be read only once, and two arguments name it")
	}
	w.drained = w.drained || name == "-"
	return await(ctx, func() ([]byte, error) {
		from, what := w.stdin, "stdin"
		if name != "-" {
			f, err := os.Open(name)
			if err != nil {
				return nil, err
			}
			// What was wanted has been read.
			defer func() { _ = f.Close() }()
			from, what = f, name
		}
		// A device has no end.
		text, err := io.ReadAll(io.LimitReader(from, maxFile+1))
		if err == nil && len(text) > maxFile {
			err = fmt.Errorf("%s has more than %d MiB", what, maxFile>>20)
		}
		return text, err
	})
}

// await does what may wait for somebody else, such as opening a FIFO, only until ctx ends.
func await[T any](ctx context.Context, do func() (T, error)) (T, error) {
	var value T
	var err error
	done := make(chan struct{})
	go func() {
		value, err = do()
		close(done)
	}()
	select {
	case <-done:
		return value, err
	case <-ctx.Done():
		return *new(T), context.Cause(ctx)
	}
}

// maxFile is the most that is read of a file that a flag names, in bytes.
const maxFile = 64 << 20

// say writes a line for people. There is nobody to tell if that fails.
func (w *world) say(format string, args ...any) {
	_, _ = fmt.Fprintf(view.Printable(w.stderr), "sluice: "+format+"\n", args...)
}

// errReaderGone says that nobody reads stdout any more.
var errReaderGone = errors.New("the reader of stdout went away")

// pipe is a stdout whose reader may go away, which is no other broken pipe, such as that of a connection.
type pipe struct {
	*os.File
	closed bool
}

// errStdoutClosed says that what is written to stdout would be lost.
var errStdoutClosed = errors.New(
	"stdout is closed, or is the null device opened for reading too, which looks the same: nobody would get what is written; --output names a file, and --output /dev/null throws the items away",
)

func (p pipe) Write(b []byte) (int, error) {
	if p.closed {
		return 0, errStdoutClosed
	}
	// Which asks only whether it is closed.
	if len(b) == 0 {
		return 0, nil
	}
	n, err := p.File.Write(b)
	if brokenPipe(err) {
		err = errReaderGone
	}
	return n, err
}

// WriteString is Write: that of the file would not tell it apart.
func (p pipe) WriteString(s string) (int, error) { return p.Write([]byte(s)) }

// writeJSON writes v for programs, every secret in its strings replaced; without an indent as one line.
func writeJSON(w io.Writer, secrets *secret.Set, v any, indent string) error {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(secrets.RedactJSON(text.Bytes()))
	return err
}

// print shows v on stdout, for programs.
func (e *extraction) print(v any) error {
	return writeJSON(view.Printable(e.world.stdout), e.secrets, v, "  ")
}

// proxy says through which proxy a request goes, by the environment, whose names may be in small letters.
func proxy(getenv func(string) string, secrets *secret.Set) (func(*http.Request) (*url.URL, error), error) {
	either := func(name string) string { return cmp.Or(getenv(name), getenv(strings.ToLower(name))) }
	c := httpproxy.Config{HTTPProxy: either("HTTP_PROXY"), HTTPSProxy: either("HTTPS_PROXY")}
	if c.HTTPProxy == "" && c.HTTPSProxy == "" {
		return nil, nil
	}
	find := c.ProxyFunc()
	for _, scheme := range []string{"http", "https"} {
		name := strings.ToUpper(scheme) + "_PROXY"
		u, err := find(&url.URL{Scheme: scheme, Host: "api.invalid"})
		usable := err == nil && u != nil && u.Hostname() != "" && strings.Trim(u.Path, "/") == "" &&
			slices.Contains([]string{"http", "https", "socks5", "socks5h"}, u.Scheme)
		if either(name) != "" && !usable {
			return nil, usagef(
				"%s of the environment is no address of a proxy, such as http://proxy.example.com:3128 (it is not shown: it may hold a password)",
				name,
			)
		}
		if u != nil {
			password, _ := u.User.Password()
			secrets.Add(password)
		}
	}
	c.NoProxy = either("NO_PROXY")
	find = c.ProxyFunc()
	return func(r *http.Request) (*url.URL, error) { return find(r.URL) }, nil
}
