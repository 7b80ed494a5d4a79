package target

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	// Hexadecimal digits of a hash of the run id.
	ofRun = 16
	// Of a hash of what is done under it.
	ofWork = 8
	// Of the 26 letters that are random.
	ofAttempt = 13
)

// A Mark says in the name of a hidden file whose it is. The zero value says nothing.
type Mark struct {
	// Hashes of the run id, and of what is done under it.
	work string

	// This process.
	attempt string
}

// NewMark returns the mark of a process that does work, which all attempts at it name alike, of a run.
func NewMark(runID, work string) Mark {
	digits := func(text string, n int) string {
		sum := sha256.Sum256([]byte(text))
		return hex.EncodeToString(sum[:])[:n]
	}
	return Mark{work: digits(runID, ofRun) + digits(work, ofWork), attempt: rand.Text()[:ofAttempt]}
}

// Attempt tells this process from all others.
func (m Mark) Attempt() string { return m.attempt }

// hiddenName matches what hidden makes, and what it made before there were marks.
var hiddenName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\.sluice-(?:([0-9a-f]{24})-)?([A-Z2-7]{13})([A-Z2-7]{13})\.tmp$`)
})

// IsHidden tells whether a name is that of a hidden file, of any run.
func IsHidden(name string) bool { return hiddenName().MatchString(name) }

// hidden returns a new name for a file that is not to be seen yet.
func (m Mark) hidden(folder string) string {
	if m.work == "" {
		return filepath.Join(folder, ".sluice-"+rand.Text()+".tmp")
	}
	return filepath.Join(folder, m.file(rand.Text()[:ofAttempt]))
}

func (m Mark) file(end string) string { return ".sluice-" + m.work + "-" + m.attempt + end + ".tmp" }

// lockEnd ends the name of the file that a process holds a lock on as long as it lives.
var lockEnd = strings.Repeat("A", ofAttempt)

// isLock tells whether a hidden file is there for its lock.
func isLock(name string) bool {
	found := hiddenName().FindStringSubmatch(name)
	return found != nil && found[3] == lockEnd
}

// An Attempt is an earlier process that did the same work, as far as it has left something.
type Attempt struct {
	ID string

	// Name and Hidden alone.
	Left []Sealed

	// It holds its lock, or has just begun.
	Alive bool
}

// fresh is how old a hidden file is at most whose process may not have its lock yet.
const fresh = time.Minute

// Earlier returns the attempts at the same work that have left hidden files in the folders of names.
func (d *Folder) Earlier(names []string) ([]Attempt, error) {
	attempts := map[string]*Attempt{}
	seen := map[string]bool{}
	for _, name := range names {
		at, err := locate(d.path(name))
		folder := filepath.Dir(at.Path)
		if err != nil || seen[folder] {
			continue
		}
		seen[folder] = true
		entries, err := os.ReadDir(folder)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, explain(folder, err)
		}
		for _, e := range entries {
			if id := d.Mark.earlier(e.Name()); id != "" {
				a := cmp.Or(attempts[id], &Attempt{ID: id})
				a.Left = append(a.Left, Sealed{Name: name, Hidden: e.Name()})
				attempts[id] = a
			}
		}
	}
	all := make([]Attempt, 0, len(attempts))
	for _, id := range slices.Sorted(maps.Keys(attempts)) {
		attempts[id].Alive = d.alive(attempts[id])
		all = append(all, *attempts[id])
	}
	return all, nil
}

// earlier returns the attempt at the same work that has made a hidden file; empty: none, or this one.
func (m Mark) earlier(name string) string {
	found := hiddenName().FindStringSubmatch(name)
	if found == nil {
		return ""
	}
	work, attempt := found[1], found[2]
	if work != m.work || attempt == m.attempt {
		return ""
	}
	return attempt
}

// alive tells whether the process of an attempt may go on.
func (d *Folder) alive(a *Attempt) bool {
	young := false
	for _, s := range a.Left {
		f, err := d.resume(s)
		if err != nil {
			continue
		}
		if isLock(s.Hidden) {
			return locked(f.temp)
		}
		info, err := os.Stat(f.temp)
		if err == nil && time.Since(info.ModTime()) < fresh {
			young = true
		}
	}
	return young
}

// EndEarlier removes all that they have left.
func (d *Folder) EndEarlier(ctx context.Context, names []string) error {
	if d.Mark.work == "" {
		return nil
	}
	attempts, err := d.Earlier(names)
	for _, a := range attempts {
		for _, s := range a.Left {
			err = errors.Join(err, d.Abandon(ctx, s))
		}
	}
	return err
}

// Hold makes the file whose lock says that this process is alive. Close removes it.
func (d *Folder) Hold() error {
	if d.held != nil || d.Mark.work == "" {
		return nil
	}
	if err := d.ensure(d.dir); err != nil {
		return err
	}
	path := filepath.Join(d.dir, d.Mark.file(lockEnd))
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return explain(d.dir, err)
	}
	// A file system without locks says of nobody that he is alive.
	lock(f)
	d.held = f
	return nil
}

// letGo removes it.
func (d *Folder) letGo() error {
	f := d.held
	if f == nil {
		return nil
	}
	d.held = nil
	err := errors.Join(f.Close(), os.Remove(f.Name()))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return explain(d.dir, err)
}
