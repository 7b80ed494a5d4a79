package verdict

import "cmp"

// firstPlace is the one of two places that is told; empty: there is none.
func firstPlace(a, b string) string {
	if a == "" || b == "" {
		return cmp.Or(a, b)
	}
	return min(a, b)
}

// pagingInItems says that paging reads what stands in the items, of which each page has one, with a list of objects: that is the
// list, and these are its pages.
func pagingInItems(j *Job) []any {
	if j.Holder == "" || j.Longest != 1 {
		return nil
	}
	return []any{j.Holder}
}
