package verdict

// came is how many items came, each counted once, with those before the first that was asked for. Where the configuration begins at
// a later page than the first, these are not taken for ones that came.
func (w *Walk) came() int64 {
	came := w.Items - w.Again
	if w.End.Behind {
		return came
	}
	return came + w.Skipped
}

// behindFirst is how many items came of a walk whose first page is not that of the list, by firstPage, and how many there are with
// those before it, as answers say; nil: they do not, or that is wanted.
func (w *Walk) behindFirst() *ShortTotal {
	total := w.Whole()
	isKnown := w.End.Behind && w.End.Root && !w.End.Changes && total != nil
	if !isKnown || w.Filled == 0 || total.Number <= w.came() {
		return nil
	}
	return &ShortTotal{Came: w.came(), Total: *total}
}

// beginsBehind says of a walk that it has not the pages before the one at which it begins.
func beginsBehind(j *Job) []any {
	if j.Behind == nil {
		return nil
	}
	return []any{Counted(j.Behind.Came), j.Behind.Total.Number, j.Behind.Total.Place}
}
