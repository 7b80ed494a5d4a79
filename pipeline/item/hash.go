package item

// Mixed is the hash of what has two hashes one after the other; first is that of all before it. It is no hash against
// people who look for two texts with the same one.
func Mixed(first, second uint64) uint64 {
	// Any odd number with bits all over.
	const spread = 0x9e3779b97f4a7c15
	return first*spread + second
}
