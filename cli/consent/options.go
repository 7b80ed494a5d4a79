package consent

import (
	"context"
	"errors"
	"io"
	"net"
	"time"

	"sluice/source"
)

// Options say how a person is asked.
type Options struct {
	// Say writes a line for people.
	Say func(format string, args ...any)

	// Where an answer is pasted; nil: nowhere.
	Stdin io.Reader

	// Listen waits for the browser.
	Listen func(ctx context.Context, network, address string) (net.Listener, error)

	// Open opens an address in a browser; nil: there is none here.
	Open func(address string) error

	// The answer is only pasted, or a code is entered on another device.
	Paste, Device bool

	// How long the answer is waited for.
	Patience time.Duration
}

// errBoth says that two ways exclude each other.
var errBoth = errors.New("--paste and --device exclude each other: the one pastes an address, the other enters a code")

// Check refuses what does not go together, before anything is asked for.
func (o *Options) Check(c *source.Consent) error {
	switch {
	case !c.KnowsClient():
		return errors.New("client_id is empty: set it in the configuration, or its attribute with --attr")
	case o.Paste && o.Device:
		return errBoth
	case o.Device && !c.Devices():
		return errors.New("--device: api.authentication.authorize has no deviceUrl")
	case o.Paste && !c.Pages():
		return errors.New("--paste: api.authentication.authorize has no url; it has a deviceUrl: leave --paste out")
	case o.mustPaste(c) && o.Stdin == nil:
		return errors.New("the answer has to be pasted, and stdin is the configuration: name a file instead")
	}
	return nil
}

// byDevice tells whether a code is entered on another device.
func (o *Options) byDevice(c *source.Consent) bool { return o.Device || !c.Pages() }

// mustPaste tells whether the answer comes from a person only.
func (o *Options) mustPaste(c *source.Consent) bool {
	_, comesHere := c.Loopback()
	return !o.byDevice(c) && (o.Paste || !comesHere)
}
