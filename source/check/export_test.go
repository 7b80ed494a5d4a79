package check

// Compare counts the items of a page that another lacks, and what is held of the first
// one.
func Compare(first, second []string) (others, held int) {
	one, other := look(first), look(second)
	held = len(one.texts)
	for _, of := range one.members {
		held += len(of.hashes)
	}
	return other.others(one), held
}

func look(items []string) *looked {
	l := &looked{}
	for i, text := range items {
		if err := l.Item(i+1, []byte(text)); err != nil {
			panic(err)
		}
	}
	return l
}

// Arrays are the paths of the arrays in an object, the likeliest items first.
func Arrays(object []byte) []string { return arrays(object, nil) }
