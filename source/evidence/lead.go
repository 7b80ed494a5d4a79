package evidence

import "strings"

// InHeader tells whether the sign stands in a header.
func (s *Sign) InHeader() bool { return s.Path == nil && !strings.Contains(s.At, " ") }

// Leads tells whether a value may lead to another page.
func Leads(value []byte) bool { return leads(value) }
