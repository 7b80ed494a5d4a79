package cli

import (
	"context"
	"errors"
	"fmt"

	"sluice/sink"
	"sluice/sink/target"
	"sluice/source/transport/record"
)

// mark makes known whose the hidden files of this process are: those of other attempts at the same work have one mark.
// Two runs may have one id, and write to one place: then they have other journals, or are other shards.
func (e *extraction) mark() {
	work := fmt.Sprintf("%s\n%s", e.sink.Output, e.checkpoint)
	if e.sink.Shards > 0 {
		work = fmt.Sprintf("%s\n%d/%d", e.sink.Output, e.sink.Shard, e.sink.Shards)
	}
	e.sink.Mark = target.NewMark(e.sink.RunID, work)
}

// note keeps that an upload has begun, where a later attempt looks for it.
func (e *extraction) note(ctx context.Context, u target.Sealed) error {
	switch {
	case e.shared != nil:
		return e.shared.Note(ctx, e.source.Shard, e.sink.Mark, u)
	case e.source.Journal != nil:
		return e.source.Journal.Note(record.Upload{Name: u.Name, ID: u.Hidden})
	}
	return nil
}

// endEarlier ends what earlier attempts at this run, or shard, have left, as far as they can do no more harm: once this
// one has its claim in the journal, the others end before they publish. One that was publishing is left alone.
func (e *extraction) endEarlier(ctx context.Context) {
	j := e.source.Journal
	if j == nil && e.shared == nil {
		return
	}
	claimed := false
	var uploads []target.Sealed
	if j != nil {
		claimed = *j.Begun && !j.Showing
		for _, u := range j.Uploads {
			uploads = append(uploads, target.Sealed{Name: u.Name, Hidden: u.ID})
		}
	}
	e.notAll(e.snk.EndEarlier(ctx, claimed, uploads))
}

// endBeside ends, once all is visible, what they have left beside the journal and the reports.
func (e *extraction) endBeside(ctx context.Context) {
	err := errors.Join(e.summaryFile.endEarlier(ctx), e.pageFile.endEarlier(ctx), e.stateFile.endEarlier(ctx))
	if journal, ok := e.kept.(*target.Folder); ok {
		err = errors.Join(err, journal.EndEarlier(ctx, []string{"journal"}))
	}
	e.notAll(err)
}

// notAll warns of what stays: it does not harm the run.
func (e *extraction) notAll(err error) {
	if err != nil {
		e.warn("", "what earlier attempts have left could not all be removed: "+err.Error())
	}
}

// overtaken tells whether another process goes on with what this one did: what stands there is that one's.
func overtaken(err error) bool {
	return errors.Is(err, record.ErrContinued) || errors.Is(err, sink.ErrOvertaken)
}
