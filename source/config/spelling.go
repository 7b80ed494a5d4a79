package config

import "strings"

// Suggest returns " (did you mean …?)" with the nearest known name, else the first that begins with name.
func Suggest(name string, known []string) string {
	best := Nearest(name, known)
	if best == "" {
		best = longer(name, known)
	}
	if best == "" {
		return ""
	}
	return " (did you mean " + best + "?)"
}

// longer returns the first known name that begins with name, "" if none does. One letter says too little.
func longer(name string, known []string) string {
	if len(name) < 2 {
		return ""
	}
	for _, k := range known {
		if strings.HasPrefix(k, name) {
			return k
		}
	}
	return ""
}

// Have returns " (have …; did you mean …?)": the known names, and the nearest of them if one is near.
func Have(name string, known []string) string {
	text := " (have " + strings.Join(known, ", ") + ")"
	return strings.Replace(text+Suggest(name, known), ") (", "; ", 1)
}

// Nearest returns the known name that name is nearest to, "" if none is near: one edit
// away, two for names of six bytes, one more for every six.
func Nearest(name string, known []string) string {
	best, least := "", len(name)/6+2
	for _, k := range known {
		if d := Distance(strings.ToLower(name), strings.ToLower(k)); d < least {
			best, least = k, d
		}
	}
	return best
}

// Distance is the number of edits from a to b: a byte more, less or other, or two exchanged.
func Distance(a, b string) int {
	// In row i and column j stand the edits from the first i bytes of a to the first j of b.
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		for j := range rows[i] {
			switch {
			case i == 0 || j == 0:
				rows[i][j] = i + j
			case a[i-1] == b[j-1]:
				rows[i][j] = rows[i-1][j-1]
			default:
				rows[i][j] = 1 + min(rows[i-1][j-1], rows[i-1][j], rows[i][j-1])
				if exchanged(a[:i], b[:j]) {
					rows[i][j] = min(rows[i][j], 1+rows[i-2][j-2])
				}
			}
		}
	}
	return rows[len(a)][len(b)]
}

// exchanged tells whether the last two bytes of a are those of b, the other way round.
func exchanged(a, b string) bool {
	if len(a) < 2 || len(b) < 2 {
		return false
	}
	return a[len(a)-1] == b[len(b)-2] && a[len(a)-2] == b[len(b)-1]
}
