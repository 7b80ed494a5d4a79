package cli

// withoutCore does nothing: there is no such file.
func withoutCore() {}
