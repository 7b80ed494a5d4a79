// Package target is where outputs go: the contract of a destination, which shows an object
// whole or not at all, and the destinations on this machine.
package target

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
	"time"
)

// A Target is a place that holds objects by name: a folder, the keys below a prefix, a stream. It is used by
// one goroutine at a time, its objects by one each. One that is an [io.Closer] is closed, perhaps more than
// once, after all its objects.
type Target interface {
	// Probe finds out whether objects of these names can be made, and leaves nothing visible.
	Probe(ctx context.Context, names []string) error

	// Create begins an object. Nothing shows, and what stood under the name stays, until Publish.
	Create(ctx context.Context, name string) (Object, error)

	// Head returns what is visible under name, at most n bytes of it; none if nothing is.
	Head(ctx context.Context, name string, n int64) ([]byte, error)

	// Remove makes what is visible under name go away. That there is nothing is no error.
	Remove(ctx context.Context, name string) error
}

// A Store is a [Target] that holds small texts too, which processes share: none of them
// replaces what another has written.
type Store interface {
	Target

	// Put makes a text visible under name, whole, durably, and only if nothing is there: else its error is
	// [fs.ErrExist].
	Put(ctx context.Context, name string, text []byte) error

	// List returns what is visible under names that begin with prefix, and when it was written. Below a prefix
	// that ends in /, and below none, only the name is listed of a folder, and of what else is no regular file,
	// with a / at its end.
	List(ctx context.Context, prefix string) (map[string]time.Time, error)

	// Stands tells whether what another process has sealed can be published, or is. What is there in another
	// size or of another kind is [ErrChanged].
	Stands(ctx context.Context, s Sealed) (bool, error)

	// Shows tells whether what is visible under the name is what another process has sealed.
	Shows(ctx context.Context, s Sealed) (bool, error)

	// Sum returns the SHA-256 of what another process has sealed. Where that cannot be read before it is
	// published the error is [fs.ErrNotExist].
	Sum(ctx context.Context, s Sealed) (string, error)

	// Finish publishes it. It is safe to repeat and, as Stands, to run several times at a time.
	Finish(ctx context.Context, s Sealed) error

	// Abandon ends it, if it is not published. That there is nothing is no error.
	Abandon(ctx context.Context, s Sealed) error

	// Close ends what is held, see [Folder.Close].
	Close() error
}

// An Object is one file or object that comes into being: Write…, Seal, Publish,
// Close. After an error of any of them only Close is called.
type Object interface {
	// Write takes all of p, and does not keep it. It ends soon after ctx is cancelled,
	// except on a stream, which is never torn within p.
	Write(ctx context.Context, p []byte) error

	// Seal brings everything to the destination, durably and still invisible.
	Seal(ctx context.Context) error

	// Publish makes the object visible, in place of what stood there.
	Publish(ctx context.Context) error

	// Close gives up what is not published and leaves nothing of it behind. After Publish,
	// or a second time, it does nothing.
	Close() error

	// Replaced tells, once it is published, whether something with another SHA-256 is visible in its place. What is gone
	// was not replaced: a consumer may take it away as soon as it sees the manifest.
	Replaced(ctx context.Context, sum string) (bool, error)

	// Sealed, after Seal, is how another process publishes the object, but for Name, Bytes, SHA256 and Like.
	Sealed() Sealed

	// URI is how the report names the object. It is empty for what cannot be found again.
	URI() string
}

// Sealed is what another process needs to publish an object that this one has sealed.
type Sealed struct {
	// Below the target.
	Name string `json:"name"`

	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`

	// The name with marks where the numbers of {part}, {shard} and {shards} stand.
	Like string `json:"like"`

	// The name of the hidden file, or the id of the upload.
	Hidden string `json:"hidden"`

	// That the object of the upload has, and no other.
	Token string `json:"token,omitempty"`

	// Of the upload, from 1: ETag and CRC-32.
	Parts [][2]string `json:"parts,omitempty"`
}

// ReadAtMost reads at most n bytes, into one buffer if the size of the whole is what it is said to be.
func ReadAtMost(in io.Reader, n, size int64) ([]byte, error) {
	var b bytes.Buffer
	b.Grow(int(min(n, max(size, 0))) + bytes.MinRead)
	_, err := b.ReadFrom(io.LimitReader(in, n))
	return b.Bytes(), err
}

// explain returns err, if it is one, with the name that the user knows in place of the temporary one.
func explain(name string, err error) error {
	if err == nil {
		return nil
	}
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		err = path.Err
	} else if link, ok := errors.AsType[*os.LinkError](err); ok {
		err = link.Err
	}
	if errors.Is(err, syscall.ENOTDIR) {
		return fmt.Errorf("%s: %w: a part of the path is a file: name another folder", name, err)
	}
	return fmt.Errorf("%s: %w", name, err)
}

// TempError returns err, if it is one, of a temporary file that has no name: purpose says which one it is.
func TempError(purpose string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w; set TMPDIR to a folder with more room", explain(purpose+" in "+os.TempDir(), err))
}
