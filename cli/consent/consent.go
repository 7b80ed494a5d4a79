// Package consent has a person log in: an address is opened in a browser, and its answer comes to an address of this
// machine or is pasted; or a code is entered on another device.
package consent

import (
	"context"
	"fmt"
	"time"

	"sluice/cli/view"
	"sluice/pipeline"
	"sluice/source"
)

// Ask has a person log in. What that gives is kept when it returns nil.
func Ask(ctx context.Context, c *source.Consent, o Options) error {
	if o.byDevice(c) {
		return o.askDevice(ctx, c)
	}
	return o.askPage(ctx, c)
}

func (o *Options) askDevice(ctx context.Context, c *source.Consent) error {
	d, err := c.BeginDevice()
	if err != nil {
		return err
	}
	o.Say("open this address on any device, and enter the code %s there:\n\n%s\n",
		view.OneLine(d.UserCode), view.OneLine(d.Address))
	if d.Complete != "" {
		o.Say("or open this one, which has the code in it:\n\n%s\n", view.OneLine(d.Complete))
	}
	return d.Finish(ctx)
}

func (o *Options) askPage(ctx context.Context, c *source.Consent) error {
	ctx, end := context.WithCancel(ctx)
	defer end()
	answers := make(chan redirected)
	port := ""
	if !o.mustPaste(c) {
		desk, err := o.listen(ctx, c, answers)
		if err != nil {
			return err
		}
		defer desk.close()
		port = desk.port
	}
	attempt := c.Begin(port)
	pasted := o.showAddress(ctx, c, attempt.Address, answers)
	got, err := o.wait(ctx, attempt.Redirect, answers, pasted)
	if err != nil {
		return err
	}
	err = attempt.Finish(got.query)
	got.outcome <- err
	return err
}

// showAddress shows a person what to open, and returns what tells that nothing more can be pasted.
func (o *Options) showAddress(
	ctx context.Context, c *source.Consent, address string, answers chan<- redirected,
) (pasted <-chan error) {
	o.Say("open this address in a browser, and log in there:\n\n%s\n", view.OneLine(address))
	mustPaste := o.mustPaste(c)
	isOpened := false
	if !o.Paste && o.Open != nil {
		isOpened = o.Open(address) == nil
	}
	switch {
	case mustPaste:
		o.Say("the browser then goes to an address that begins with %s, and may show an error there: copy all of "+
			"that address, paste it here, and press Enter", view.OneLine(c.Redirect().String()))
	case isOpened:
		o.Say("a browser is opened with it; waiting for the answer")
	case o.Stdin != nil:
		o.Say("no browser is opened here. If yours is on another machine, it will not reach the address that it is " +
			"sent to: copy all of that address, paste it here, and press Enter")
	default:
		o.Say("waiting for the answer")
	}
	if o.Stdin == nil {
		return nil
	}
	return o.readPasted(ctx, c, answers)
}

// wait returns the first answer.
func (o *Options) wait(
	ctx context.Context, redirect string, answers <-chan redirected, pasted <-chan error,
) (redirected, error) {
	timer := time.NewTimer(o.Patience)
	defer timer.Stop()
	for {
		select {
		case a := <-answers:
			return a, nil
		case err := <-pasted:
			if err != nil {
				return redirected{}, err
			}
			// The browser may still answer.
			pasted = nil
		case <-timer.C:
			return redirected{}, pipeline.Temporary(fmt.Errorf("login: no answer came within %s (--timeout); if the "+
				"browser shows an error about the redirect address, register %s with the API, and write just that "+
				"into api.authentication.authorize.redirect", o.Patience, redirect))
		case <-ctx.Done():
			return redirected{}, context.Cause(ctx)
		}
	}
}
