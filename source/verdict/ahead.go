package verdict

// itemsAhead says how many items the page before the first one of a walk has.
func itemsAhead(j *Job) []any {
	if j.Ahead == 0 {
		return nil
	}
	return []any{Counted(j.Ahead)}
}
