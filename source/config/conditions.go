package config

// conditions reads the arrays of conditions that are there, by their names.
func conditions(o *ObjectDecoder, p *Problems) map[string]*Node {
	all := map[string]*Node{}
	for _, member := range conditionMembers {
		for _, n := range o.List(member.name, member.doc, "string") {
			n.mustBeString("a condition", p)
		}
		n := o.Node().Member(member.name)
		if n != nil {
			all[member.name] = n
		}
	}
	return all
}

// conditionMembers are the arrays of conditions, each of which looks at an answer.
var conditionMembers = [...]struct{ name, doc string }{
	{
		"loginOn",
		"Conditions, such as errcode==40001, one of which makes an answer count as 401.",
	},
	{
		"retryOn",
		"Conditions, such as $status==403&$header.x-ratelimit-remaining==0, " +
			"one of which makes an answer count as 429.",
	},
	{
		"emptyOn",
		"Conditions, such as $status==404, one of which makes the first answer of a job, or of a child job for " +
			"one item, a page without items.",
	},
	{
		"endOn",
		"Conditions, such as $status==400&code==no_such_page, " +
			"one of which makes an answer a page without items, which ends paging.",
	},
	{
		"failOn",
		"Conditions, such as ok==false, one of which makes an answer an error; " +
			"none switches the usual rule off.",
	},
}
