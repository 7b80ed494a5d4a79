package consent

import (
	"bufio"
	"context"
	"errors"
	"strings"

	"sluice/source"
)

// readPasted reads lines until one is an answer. The channel gets an error where nobody can answer any more, and nil
// where only a browser can.
func (o *Options) readPasted(ctx context.Context, c *source.Consent, answers chan<- redirected) <-chan error {
	ended := make(chan error, 1)
	go func() { ended <- o.paste(ctx, c, answers) }()
	return ended
}

func (o *Options) paste(ctx context.Context, c *source.Consent, answers chan<- redirected) error {
	lines := bufio.NewScanner(o.Stdin)
	lines.Buffer(nil, mostPasted)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if line == "" {
			continue
		}
		query, ok := answerIn(c, line)
		if !ok {
			o.Say("that is not the address: it begins with %s, and has state and code in it; paste it again",
				c.Redirect())
			continue
		}
		select {
		case answers <- redirected{query, make(chan error, 1)}:
		case <-ctx.Done():
		}
		return nil
	}
	if o.mustPaste(c) {
		return errors.New("login: stdin ended before the address was pasted")
	}
	return nil
}
