package report

// Rivals are the arrays beside what the dataField of a job leads to, where that is one object, or an array
// without items.
type Rivals struct {
	// Field is dataField.
	Field string `json:"field,omitempty"`

	// Filled tells that some page has items in an array at dataField: the others are not meant.
	Filled bool `json:"filled,omitempty"`

	// Below tells that the job is one of many walks, of which one alone says nothing.
	Below bool `json:"below,omitempty"`

	// ByPath has the least paths.
	ByPath map[string]Rival `json:"byPath,omitempty"`
}

// A Rival is an array by its longest, which so many pages had; Chosen: somebody asked for as many elements, or
// chose such a number.
type Rival struct {
	Items  int  `json:"items"`
	Pages  int  `json:"pages"`
	Chosen bool `json:"chosen,omitempty"`
}

// See enters an array of a page.
func (r *Rivals) See(path string, one Rival) {
	if r.ByPath == nil {
		r.ByPath = map[string]Rival{}
	}
	have := r.ByPath[path]
	switch {
	case one.Items > have.Items:
		r.ByPath[path] = one
	case one.Items == have.Items:
		chosen := have.Chosen || one.Chosen
		r.ByPath[path] = Rival{Items: one.Items, Pages: have.Pages + one.Pages, Chosen: chosen}
	}
	keepLeast(r.ByPath)
}

func (r *Rivals) add(other Rivals) {
	r.Field = max(r.Field, other.Field)
	r.Filled = r.Filled || other.Filled
	r.Below = r.Below || other.Below
	for path, one := range other.ByPath {
		r.See(path, one)
	}
}

func (r *Rivals) redacted(redact func(string) string) Rivals {
	clean := Rivals{Field: redact(r.Field), Filled: r.Filled, Below: r.Below}
	for path, one := range r.ByPath {
		clean.See(redact(path), one)
	}
	return clean
}
