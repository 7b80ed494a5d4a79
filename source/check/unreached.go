package check

import (
	"context"
	"errors"
	"fmt"

	"sluice/source/job"
	"sluice/source/walk"
)

// ErrUnasked is wrapped by the error of a job that nothing was asked for, since a job before it got no connection to its
// host.
var ErrUnasked = errors.New("not requested")

// reach is [checker.firstPage], unless nobody is there.
func (k *checker) reach(ctx context.Context, w *walk.Walk, result *JobResult) (parents []byte, err error) {
	full, err := w.Request(w.First)
	if err != nil {
		return nil, err
	}
	host := full.URL.Host
	if k.unreached[host] {
		return nil, fmt.Errorf("%w: no connection to %s could be made before", ErrUnasked, host)
	}
	parents, err = k.firstPage(ctx, w, result)
	if err != nil && walk.Unreached(err) == host {
		k.unreached[host] = true
		result.Unreached = true
	}
	return parents, err
}

// leaveOut tells of the jobs below one that was not reached, or not asked for.
func (k *checker) leaveOut(above *job.Job) error {
	for _, child := range above.Children {
		for _, j := range job.Tree([]*job.Job{child.Job}) {
			err := fmt.Errorf("%w, since job %s above it got no answer", ErrUnasked, above.ID)
			about := About{Job: j.ID, DataType: j.DataType, Above: j.Parent.ID}
			if err := k.found(JobResult{About: about, Err: err, Error: k.message(err.Error())}); err != nil {
				return err
			}
		}
	}
	return nil
}
