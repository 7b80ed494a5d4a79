package airbyte

// Condition and Widened are about the first expression of a template.
func Condition(text, root string) (string, bool, error) {
	read, err := parse(text)
	if err != nil {
		return "", false, err
	}
	said, ok := condition(read[0].expression, root)
	return said, ok, nil
}

// Widened is a condition that holds wherever the expression does, and whether it holds nowhere else.
func Widened(text, root string) (said string, exact bool, err error) {
	read, err := parse(text)
	if err != nil {
		return "", false, err
	}
	all, exact := widened(read[0].expression, root)
	switch {
	case all.always():
		return "", exact, nil
	case all.never():
		return "<never>", exact, nil
	}
	return all.String(), exact, nil
}
