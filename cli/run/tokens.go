package run

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"sluice/pipeline"
	"sluice/pipeline/report"
	"sluice/pipeline/secret"
	"sluice/sink/s3"
	"sluice/sink/target"
	"sluice/source"
	"sluice/source/config"
)

var _ source.Keeper = &Tokens{}

const (
	// A login is taken over after it, where nobody knows whether its process lives.
	loginPatience = 10 * time.Minute

	// In bytes, for what a login gives.
	tokensRoom = 64 << 10
)

// Tokens are the file or the object of --tokens. A login is written down there before it is sent, and what it gave
// before that is used; each of the two replaces only what this process has read or written last.
type Tokens struct {
	name, runID string
	mark        target.Mark
	world       *World

	// Held by each method of a login, and by Close: a run that ends at once does not wait for logins.
	mu sync.Mutex

	// Of the run; nil before it is opened.
	ctx context.Context

	// nil where there is none.
	file *sideFile

	// What stands there, and its text, as it was read or written last.
	there keptTokens
	text  []byte

	// Of the login under way.
	seed string

	// Lets others have the file; nil: this process has no lock of it.
	unlock func()
}

// OpenTokens opens those of a command that only looks; nil where it has none.
func OpenTokens(ctx context.Context, w *World, secrets *secret.Set, o Options) (*Tokens, error) {
	if o.Beside.Tokens == "" {
		return nil, nil
	}
	t := newTokens(w, o.Beside.Tokens, newID(w.Now()))
	if err := t.open(ctx, s3Options(w, secrets, o.Bucket)); err != nil {
		return nil, err
	}
	return t, t.prepare(ctx)
}

func newTokens(w *World, name, runID string) *Tokens {
	return &Tokens{name: name, runID: runID, mark: target.NewMark("tokens", name), world: w}
}

// open opens the file, or the object of a bucket, and finds out whether it has tokens.
func (t *Tokens) open(ctx context.Context, bucket s3.Options) error {
	info, err := os.Stat(t.name)
	// A folder has a message of its own.
	isTaken := err == nil && !info.IsDir()
	if isTaken && !info.Mode().IsRegular() {
		return Usagef("--tokens %s: name a file, or an object of a bucket", t.name)
	}
	if isTaken && target.Names(t.name, info) > 1 {
		return Usagef(
			"--tokens %s: it is a hard link, and what is kept replaces it alone: "+
				"the other names of the file would keep a token that is used up; "+
				"remove them, or make them symbolic links to it",
			t.name,
		)
	}
	t.ctx = ctx
	t.file, err = openShared("--tokens", t.name, "tokens.json", bucket, t.mark)
	if err != nil || t.file == nil {
		return err
	}
	return t.read(ctx)
}

// read reads what stands there.
func (t *Tokens) read(ctx context.Context) error {
	text, err := t.file.target.Head(ctx, t.file.base, maxFile)
	if err != nil {
		return t.file.explain(err)
	}
	there, ok := decodeTokens(text)
	if !ok {
		return Usagef(somethingElse, t.name)
	}
	if isBlank(text) {
		// What this process has kept there is still the last that a login gave.
		there.Tokens = t.there.Tokens
	}
	t.there, t.text = there, text
	return nil
}

// somethingElse does not show what stands there, which may be a secret.
const somethingElse = "--tokens %s: what is there was not written by --tokens: name another place, " +
	"or remove it"

// wanted says where the configuration has no use for them.
func (t *Tokens) wanted(docs []*config.Document, p *config.Problems) {
	keeps := func(d *config.Document) bool { return d.Authentication.Member("keep") != nil }
	if t != nil && t.name != "" && !slices.ContainsFunc(docs, keeps) {
		p.Notef(
			nil,
			"--tokens %s has no effect: the configuration keeps nothing, in api.authentication.keep",
			t.name,
		)
	}
}

// Begin implements [source.Keeper].
func (t *Tokens) Begin(seed string, _ []string) (kept map[string]string, told string, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	// It may have gone since the login before.
	if err := t.file.restore(); err != nil {
		return nil, "", err
	}
	if err := t.lock(); err != nil {
		return nil, "", err
	}
	told, err = t.begin()
	if err != nil {
		t.letGo()
		return nil, "", err
	}
	t.seed = seed
	t.world.LoggingIn.Store(true)
	return t.there.Tokens[seed].Values, told, nil
}

// lock makes this process the only one of this machine that logs in.
func (t *Tokens) lock() error {
	locker, ok := t.file.target.(target.Locker)
	if !ok {
		return nil
	}
	unlock, err := locker.Lock(t.file.base)
	if errors.Is(err, target.ErrLocked) {
		who := "another process"
		if t.read(t.ctx) == nil && t.there.Intent != nil {
			who = t.there.Intent.who()
		}
		return pipeline.Temporary(
			fmt.Errorf("--tokens %s: %s is logging in, so this process has sent nothing: run it again",
				t.name, who),
		)
	}
	t.unlock = unlock
	return t.file.explain(err)
}

func (t *Tokens) begin() (told string, err error) {
	if err := t.read(t.ctx); err != nil {
		return "", err
	}
	told, err = t.judge(t.there.Intent)
	if err != nil {
		return "", err
	}
	// What killed processes have left: nobody else is here.
	_ = t.file.endEarlier(t.ctx)
	return told, t.announce()
}

// judge says of a login that another process has begun, nil for none, whether it may be taken over, and what people
// are told of that.
func (t *Tokens) judge(i *loginIntent) (told string, err error) {
	if i == nil || i.Attempt == t.mark.Attempt() {
		return "", nil
	}
	// Nobody has the lock of this machine but this process.
	isDead := t.unlock != nil && i.Machine != "" && i.Machine == target.Machine()
	// The clocks of two machines may differ.
	isOld := t.world.Now().Sub(i.Time).Abs() >= loginPatience
	const instead = "this login is sent with what was kept before"
	switch {
	case isDead:
		return fmt.Sprintf("--tokens %s: %s was killed while it logged in: %s", t.name, i.who(), instead), nil
	case isOld:
		return fmt.Sprintf(
			"--tokens %s: %s began to log in, and did not finish: this process logs in instead, and %s",
			t.name,
			i.who(),
			instead,
		), nil
	}
	return "", pipeline.Temporary(
		fmt.Errorf("--tokens %s: %s is logging in, so this process has sent nothing: run it again; "+
			"if that process was killed, wait until %d minutes after its start", t.name, i.who(), int(loginPatience.Minutes())),
	)
}

// who is the process of a login, for people.
func (i *loginIntent) who() string {
	return fmt.Sprintf("run %s (since %s)", i.RunID, i.Time.UTC().Format(time.RFC3339))
}

// announce writes down that this process logs in, and takes room for what that gives, also when the run is over: what is
// half done would hold up others.
func (t *Tokens) announce() error {
	ctx := context.WithoutCancel(t.ctx)
	next := t.there
	next.Intent = &loginIntent{t.runID, t.world.Now().UTC(), t.mark.Attempt(), target.Machine()}
	if err := t.write(ctx, next); err != nil {
		return err
	}
	err := t.file.reserve(ctx, len(t.text)+tokensRoom)
	if err != nil {
		t.file.discard()
		next.Intent = nil
		err = errors.Join(err, t.write(ctx, next))
	}
	return err
}

// Renew implements [source.Keeper]: a login that takes long must not be taken over.
func (t *Tokens) Renew() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.world.Now().Sub(t.there.Intent.Time) < loginPatience/2 {
		return nil
	}
	if _, err := t.look(t.ctx); err != nil {
		return err
	}
	t.file.discard()
	return t.announce()
}

// End implements [source.Keeper], also when the run is over.
func (t *Tokens) End(kept map[string]string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	defer t.letGo()
	defer t.world.LoggingIn.Store(false)
	ctx := context.WithoutCancel(t.ctx)
	next := keptTokens{Tokens: t.there.with(t.seed, kept, t.world.Now().UTC())}
	isGone, err := t.look(ctx)
	if err != nil {
		return err
	}
	if isGone {
		// The room for the text has perhaps gone with it, or is at a place where the name leads no more.
		t.file.discard()
	}
	return t.write(ctx, next)
}

// look refuses to go on where something of another process stands, and tells whether what this one has written is gone:
// a place where nothing stands has no other writer.
func (t *Tokens) look(ctx context.Context) (isGone bool, err error) {
	text, err := t.file.target.Head(ctx, t.file.base, maxFile)
	if err != nil {
		return false, t.file.explain(err)
	}
	if bytes.Equal(text, t.text) {
		return false, nil
	}
	there, ok := decodeTokens(text)
	switch {
	case !ok:
		return false, fmt.Errorf(somethingElse, t.name)
	case there.isOther(t.there, t.mark.Attempt()):
		return false, pipeline.Temporary(fmt.Errorf("--tokens %s: another process has written there meanwhile, "+
			"and what it wrote stays: run this again", t.name))
	}
	return true, nil
}

// write puts tokens in place, durably. What goes while they are put there is made once more.
func (t *Tokens) write(ctx context.Context, next keptTokens) error {
	if next.Tokens == nil {
		next.Tokens = map[string]keptToken{}
	}
	text, err := next.encode()
	if err != nil {
		return err
	}
	err = t.put(ctx, text)
	if err != nil {
		isGone, other := t.look(ctx)
		if pipeline.IsTemporary(other) {
			return other
		}
		if isGone || errors.Is(err, fs.ErrNotExist) {
			err = t.put(ctx, text)
		}
	}
	if err != nil {
		return err
	}
	t.there, t.text = next, text
	return nil
}

func (t *Tokens) put(ctx context.Context, text []byte) error {
	err := t.file.restore()
	if err == nil {
		err = t.file.ready(ctx, text)
	}
	if err == nil {
		err = t.file.place()
	}
	if err != nil {
		t.file.discardReady()
	}
	return err
}

// letGo ends what is held during a login.
func (t *Tokens) letGo() {
	t.file.discard()
	if t.unlock != nil {
		t.unlock()
		t.unlock = nil
	}
}

// prepare finds out whether it can be written.
func (t *Tokens) prepare(ctx context.Context) error {
	f := t.file
	if f == nil {
		return nil
	}
	if err := f.probe(ctx); err != nil {
		return err
	}
	if target.IsDirect(f.target, f.base) {
		return Usagef("--tokens %s: name a file, or an object of a bucket", t.name)
	}
	return nil
}

func (t *Tokens) ready(context.Context, *report.Report) error { return nil }

func (t *Tokens) place(context.Context, *report.Report) error { return nil }

func (t *Tokens) discard(*report.Report) error {
	t.Close()
	return nil
}

// Close ends the connections. What a login under way is just writing is waited for.
func (t *Tokens) Close() {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.file.close()
}

// keeper is what a source has of them; nil where there is none.
func (t *Tokens) keeper() source.Keeper {
	if t == nil || t.name == "" {
		return nil
	}
	return t
}

// recordedTokens stand for those of a recording, which has none: what they are does not matter.
type recordedTokens struct{}

func (recordedTokens) Begin(_ string, names []string) (kept map[string]string, told string, err error) {
	kept = map[string]string{}
	for _, name := range names {
		kept[name] = strings.Repeat("recorded-", 2) + name
	}
	return kept, "", nil
}

func (recordedTokens) Renew() error { return nil }

func (recordedTokens) End(map[string]string) error { return nil }
