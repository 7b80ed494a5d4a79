package target

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"regexp"
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

// fresh is how old a hidden file is at most whose process may not have its lock yet.
const fresh = time.Minute
