package sink

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"sluice/pipeline"
	"sluice/pipeline/report"
	"sluice/sink/commit"
)

// Commit implements [pipeline.Sink].
func (s *Sink) Commit(
	ctx context.Context,
	sealed func([]report.OutputReport) (*report.Report, error),
) error {
	outputs, err := s.seal(ctx)
	if err != nil {
		return err
	}
	if s.options.KeepFull {
		if err := commit.KeepFull(ctx, s.target, s.withoutItems()); err != nil {
			return err
		}
	}
	r, err := sealed(outputs)
	if err == nil && s.options.Shards > 0 {
		return s.leave(ctx, r)
	}
	if err == nil && s.manifest != "" {
		err = s.sealManifest(ctx, r)
	}
	// As long as nothing shows.
	r.Outputs = []report.OutputReport{}
	if err == nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		return err
	}
	ctx, stop := outlast(ctx)
	defer stop()
	if err := s.show(ctx, r); err != nil {
		return err
	}
	s.endRest(ctx)
	return nil
}

// seal seals all outputs, and returns what the report says of them.
func (s *Sink) seal(ctx context.Context) ([]report.OutputReport, error) {
	outputs := make([]report.OutputReport, 0, len(s.outputs))
	for _, o := range s.outputs {
		// The others were sealed when the next part began.
		if o.entry == nil {
			if err := o.seal(ctx, true); err != nil {
				return nil, err
			}
		}
		if o.entry != nil {
			s.describe(o)
			outputs = append(outputs, *o.entry)
		}
	}
	return outputs, nil
}

// describe enters how an output is stored, and where it is from the manifest.
func (s *Sink) describe(o *openOutput) {
	o.entry.Format = s.formatName
	o.entry.Compression = s.compressionName
	if s.manifest != "" {
		o.entry.Path = commit.PathFrom(s.manifest, o.name)
	}
}

// show makes all visible.
func (s *Sink) show(ctx context.Context, r *report.Report) error {
	if s.manifest == "" {
		return s.publish(ctx, r)
	}
	if err := s.target.Remove(ctx, s.manifest); err != nil {
		return err
	}
	if err := s.publish(ctx, r); err != nil {
		return err
	}
	for _, o := range s.routes {
		if err := s.removeOld(ctx, *o); err != nil {
			return err
		}
	}
	if err := s.alone(ctx, r.RunID); err != nil {
		return err
	}
	if err := s.record.Publish(ctx); err != nil {
		return err
	}
	return s.unmixed(ctx, r)
}

// unmixed makes sure, once the manifest stands, that no other run has replaced an output of this one. A run that does so
// later finds the manifest, see alone.
func (s *Sink) unmixed(ctx context.Context, r *report.Report) error {
	for _, o := range s.outputs {
		if o.entry == nil {
			continue
		}
		// Whoever may only write sees nothing.
		isReplaced, err := o.object.Replaced(ctx, o.entry.SHA256)
		if err != nil || !isReplaced {
			continue
		}
		there, _ := s.Replaced(ctx)
		if there != nil && there.RunID == r.RunID {
			err = s.target.Remove(ctx, s.manifest)
		}
		if err != nil {
			return err
		}
		return pipeline.Temporary(fmt.Errorf(
			"%s: another run has published here meanwhile, and this output is not there any more, nor in any manifest: "+
				"run again while no other run writes here",
			o.entry.URI,
		))
	}
	return nil
}

// alone makes sure that no other run than id has published at the same place meanwhile. What is visible may be of both,
// and each manifest would say that all of it is of its own run: then there is none. Another attempt at the same run has
// the same items.
func (s *Sink) alone(ctx context.Context, id string) error {
	// Whoever may only write sees nothing.
	there, _ := s.Replaced(ctx)
	if there == nil || there.RunID == id {
		return nil
	}
	if err := s.target.Remove(ctx, s.manifest); err != nil {
		return err
	}
	return pipeline.Temporary(fmt.Errorf(
		"%s: the run %s has published here meanwhile, and what is visible may be of both: "+
			"the manifest is removed; run again while no other run writes here",
		s.record.URI(), there.RunID,
	))
}

// withoutItems are the outputs that have none.
func (s *Sink) withoutItems() (all []commit.EmptyOutput) {
	for _, o := range s.outputs {
		if o.items == 0 && o.entry != nil {
			all = append(all, commit.EmptyOutput{Name: o.name, Output: *o.entry})
		}
	}
	return all
}

// finishing is how long publishing goes on after its run was cancelled.
const finishing = 5 * time.Second

// outlast returns a context that is cancelled like ctx, but only when finishing has passed since.
func outlast(ctx context.Context) (context.Context, context.CancelFunc) {
	longer, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		time.AfterFunc(finishing, func() { cancel(context.Cause(ctx)) })
	})
	return longer, func() {
		stop()
		cancel(nil)
	}
}

// sealManifest brings the manifest to the destination, so that a full disk shows while all is invisible.
func (s *Sink) sealManifest(ctx context.Context, r *report.Report) error {
	m := commit.Manifest{Report: r}
	m.Replace(ctx, s.target, s.manifest)
	text, err := m.Text()
	if err != nil {
		return err
	}
	s.record, err = s.target.Create(ctx, s.manifest)
	if err != nil {
		return err
	}
	if err := s.record.Write(ctx, text); err != nil {
		return err
	}
	return s.record.Seal(ctx)
}

// Replaced is the report of the manifest that this one will take the place of, nil if there is none.
func (s *Sink) Replaced(ctx context.Context) (*report.Report, error) {
	if s.manifest == "" {
		return nil, nil
	}
	return commit.Replaced(ctx, s.target, s.manifest)
}

// leave ends a shard: nothing shows, and what is sealed is another process's to publish.
func (s *Sink) leave(ctx context.Context, r *report.Report) error {
	f := &commit.Fragment{
		Shard:    s.options.Shard,
		Shards:   s.options.Shards,
		Report:   r,
		Manifest: s.manifest,
	}
	for _, o := range s.outputs {
		f.Objects = append(f.Objects, o.sealed())
	}
	if s.ends {
		if err := s.shared().MaySeal(ctx, s.attempt()); err != nil {
			return err
		}
	}
	stays, err := s.shared().Leave(ctx, f)
	if err == nil {
		s.endRest(ctx)
	}
	if stays {
		// There is nothing left to give up.
		s.outputs = nil
	}
	r.Outputs = []report.OutputReport{}
	return err
}

// publish makes the outputs visible, and enters into r those that are.
func (s *Sink) publish(ctx context.Context, r *report.Report) error {
	for _, o := range s.outputs {
		if err := o.object.Publish(ctx); err != nil {
			return err
		}
		if o.entry != nil {
			r.Outputs = append(r.Outputs, *o.entry)
		}
	}
	return nil
}

// removeOld removes the parts that an earlier run had beyond those of this one. The last one goes first: what a process
// leaves that dies meanwhile has no gap, so the next run finds all of it.
func (s *Sink) removeOld(ctx context.Context, old openOutput) error {
	if !strings.Contains(old.template, commit.PartMark) {
		return nil
	}
	var beyond []string
	for s.next(&old) == nil {
		there, err := s.target.Head(ctx, old.name, 1)
		if err != nil {
			return err
		}
		if there == nil {
			break
		}
		beyond = append(beyond, old.name)
	}
	for _, name := range slices.Backward(beyond) {
		if err := s.target.Remove(ctx, name); err != nil {
			return err
		}
	}
	return nil
}
