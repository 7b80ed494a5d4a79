package report

// Denied is what emptyOn made of the first answers of a job's walks.
type Denied struct {
	// Walks are all that had a first answer.
	Walks int `json:"walks,omitempty"`

	// By the status of their first answer, those that emptyOn gave a page without items.
	Empty map[int]int `json:"empty,omitempty"`

	// How many of these said so by more than their status.
	Said int `json:"said,omitempty"`
}

// add enters other walks.
func (d *Denied) add(other Denied) {
	d.Walks += other.Walks
	d.Said += other.Said
	for status, walks := range other.Empty {
		if d.Empty == nil {
			d.Empty = map[int]int{}
		}
		d.Empty[status] += walks
	}
}
