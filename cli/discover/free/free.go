// Package free finds names that nothing else has.
package free

import "strconv"

// Name is the wanted name, or where that is taken the first one that is not with a number behind it, from 2 on.
func Name(wanted, separator string, isTaken func(name string) bool) string {
	name := wanted
	for i := 2; isTaken(name); i++ {
		name = wanted + separator + strconv.Itoa(i)
	}
	return name
}
