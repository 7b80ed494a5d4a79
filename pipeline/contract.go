package pipeline

import "context"

// A Source fetches items. [Run] calls Extract once.
type Source interface {
	// Outputs lists what the run will fill, also what stays empty. It is known
	// before the first request and does not change.
	Outputs() []Output

	// Extract emits every item in order, and returns nil only if nothing is
	// missing that the source knows of. emit takes the batch over; it blocks
	// while the sink is slower, and after its first error Extract must begin no
	// request and return that error. Cancelling ctx ends Extract soon.
	Extract(ctx context.Context, emit func(*Batch) error) error
}

// A Sink stores items. What it stores is invisible until Commit, except on a
// stream that cannot be taken back, such as stdout.
type Sink interface {
	// Probe finds out, before the first request, whether the destination will
	// take the data, with the permission that Commit will need.
	Probe(ctx context.Context) error

	// Write takes the items of b, in order. It must not keep b or its text.
	Write(ctx context.Context, b *Batch) error

	// Commit seals all outputs (encoded, flushed, uploaded), then calls sealed
	// with them, once; then it publishes them one after the other, and the
	// manifest, which is the report that sealed returned, last. After an error,
	// also of sealed, the manifest is not visible, and the Outputs of the report
	// are those that are.
	Commit(ctx context.Context, sealed func([]OutputReport) (*Report, error)) error

	// Close gives up everything that is not committed and removes what is left
	// of it; its error says what is there all the same. It may be called more than
	// once and after Commit.
	Close() error
}
