package config

// Windows are the windows of time that a job asks for.
type Windows struct {
	// Node is nil if there are none.
	Node *Node

	// From and To are times or expressions; To is nil if absent.
	From, To *Node

	Step string

	// Format is in the letters of the function date.
	Format string
}

func (w *Windows) decode(o *ObjectDecoder) {
	w.Node = o.Node()
	w.From = o.Any("from",
		"Where the first begins: Unix seconds, a date, a text such as -2 years, or an expression.",
		"string", "integer", "expression")
	w.To = o.Any("to", "Where the last ends; by default now.", "string", "integer", "expression")
	w.Step = o.Text("step", "", "How long each is, such as 31 days or 1 month.", "1 day", "31 days", "1 month")
	o.Any("gap",
		"What is taken off the end that is sent, in seconds or such as 1 second, for APIs that include it.",
		"integer", "string")
	w.Format = o.Text("format", `Y-m-d\TH:i:s\Z`,
		"How times are sent, in the letters of the function date; U is Unix seconds.")
	o.Require("from", "step")
	o.Done()
}
