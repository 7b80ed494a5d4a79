package verdict_test

import (
	"testing"

	"sluice/source/verdict"
)

func TestAPartKeepsItsLastAnswerApart(t *testing.T) {
	var p verdict.ShardFacts
	for page := 1; page <= 3; page++ {
		p.Add(&verdict.Record{Page: page, Items: 3 - page})
	}
	if p.Before.Pages != 2 || p.Before.Items != 3 || p.Final.Last != 3 {
		t.Errorf("%+v", p)
	}
}
