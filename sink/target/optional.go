package target

import "context"

// What some targets can do besides. Each is found by asking for its interface, never for the type of a target.

// A Hiding target keeps what it makes as hidden files until they are published: a process that was killed leaves them.
type Hiding interface {
	// Earlier returns the attempts at the same work that have left hidden files beside names.
	Earlier(names []string) ([]Attempt, error)

	// EndEarlier removes the hidden files that they have left.
	EndEarlier(ctx context.Context, names []string) error

	// Hold shows other processes that this one is alive, until it ends or closes the target.
	Hold() error
}

// A Locker lets one process of this machine at a time have an object to itself.
type Locker interface {
	// Lock waits for nobody: where another process has the object, the error is [ErrLocked].
	Lock(name string) (unlock func(), err error)
}

// A Restorer has places of objects that somebody may remove meanwhile, such as folders.
type Restorer interface {
	// Restore creates the place of an object again, if it was removed.
	Restore(name string) error
}

// A Reserver can take room for an object before its text is known.
type Reserver interface {
	// Reserve creates an object with room for at most n bytes. It may be there although there is an error.
	Reserve(ctx context.Context, name string, n int) (Object, error)
}

// A Director has objects that are written directly and show at once, such as devices.
type Director interface {
	// Direct tells whether what was probed under name is one.
	Direct(name string) bool
}

var _ interface {
	Store
	Hiding
	Locker
	Restorer
	Reserver
	Director
} = (*Folder)(nil)

// IsDirect tells whether an object that was probed shows at once.
func IsDirect(t Target, name string) bool {
	d, ok := t.(Director)
	return ok && d.Direct(name)
}

// EndEarlier removes what earlier attempts at the same work have left beside an object, if the target has anything
// such.
func EndEarlier(ctx context.Context, t Target, names ...string) error {
	h, ok := t.(Hiding)
	if !ok {
		return nil
	}
	return h.EndEarlier(ctx, names)
}

// Restore creates the place of an object again, if the target is a [Restorer] and the place was removed.
func Restore(t Target, name string) error {
	r, ok := t.(Restorer)
	if !ok {
		return nil
	}
	return r.Restore(name)
}
