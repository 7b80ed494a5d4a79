package paginate

import (
	"strings"

	"sluice/source/evidence"
	"sluice/source/verdict"
)

// numberOf is the statement of a number of all items, or of all pages.
func numberOf(s *evidence.Sign) verdict.Statement {
	number := verdict.Statement{
		Kind:    verdict.Total,
		Place:   s.At,
		Number:  s.Total,
		Named:   isNamedTotal(s.At),
		Guessed: s.Says == evidence.Guessed,
		OfAll:   s.OfAll(),
		Vague:   s.Vague,
	}
	// What is said to be inexact is not held against what came.
	number.Named = number.Named && !number.Vague
	// By its name alone it is one of all only beside the items, or in what is about the list or the answer.
	isDoubtful := number.Guessed && s.Loose
	switch {
	case s.Weak, isDoubtful:
		number.Kind = verdict.Guess
	case s.Says == evidence.Pages:
		number.Kind = verdict.PageCount
	case s.Least:
		number.Kind = verdict.AtLeast
	}
	return number
}

// hintOf is the statement of a flag that may say that there is more, or of a number that may be that of all pages.
func hintOf(s *evidence.Sign) verdict.Statement {
	hint := verdict.Statement{Kind: verdict.MayMore, Place: s.At}
	if s.Total > 0 {
		hint.Kind, hint.Number = verdict.GuessedPages, s.Total
	}
	return hint
}

// isNamedTotal tells whether a place says by its name that its number is one of all items: others may be that of the page.
func isNamedTotal(place string) bool {
	if place == "Content-Range" {
		return true
	}
	for at := range len(place) {
		for _, word := range totalWords {
			if len(place)-at >= len(word) && strings.EqualFold(place[at:at+len(word)], word) {
				return true
			}
		}
	}
	return false
}

var totalWords = [...]string{"total", "found", "matched"}
