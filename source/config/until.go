package config

// An UntilOption is what a job knows already of a list whose newest items come first.
type UntilOption struct {
	// Node is nil if there is nothing.
	Node *Node

	// Field is the path in each item of what the list is ordered by.
	Field string

	// Before is a value of that, a time or an expression.
	Before *Node

	// Cut leaves out items that are older.
	Cut bool

	// Slack is an integer or a text; nil is none.
	Slack *Node
}

func (u *UntilOption) decode(o *ObjectDecoder) {
	u.Node = o.Node()
	u.Field = o.Text("field", "", "Path in each item of what the list is ordered by.", "updated_at")
	u.Before = o.Any("before", "Paging ends with the first page whose last item is older: a value of field, "+
		"a text such as -2 days, or an expression.", "string", "integer", "number", "expression")
	u.Cut = o.Bool("cut", false, "Whether older items are left out, with what is below them.")
	u.Slack = o.Any("slack", "By how much an item may be newer than one before it: such as 1 hour, "+
		"or of a field of numbers a number.", "integer", "string")
	o.Require("field", "before")
	o.Filled("field")
	o.Done()
}
