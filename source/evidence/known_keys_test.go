package evidence_test

import (
	"encoding/json"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"

	"sluice/source/evidence"
)

// naive is what KnownKeys are, in the simplest way: all that came, in order.
type naive struct {
	most int
	came []uint64
}

// isLast tells whether a key is one of the last that came.
func (n *naive) isLast(key uint64) bool {
	for _, last := range n.came[max(len(n.came)-n.most, 0):] {
		if last == key {
			return true
		}
	}
	return false
}

func TestTheLastKeysAreKnownAndNoneThatDidNotCome(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 1))
		most := 1 << (3 + seed%5)
		k, model := &evidence.KnownKeys{Most: most}, &naive{most: most}
		all := map[uint64]bool{}
		for page := range 60 {
			// Low bits are rare, so that the sample shrinks too; few keys, so that some come again.
			distinct := uint64(1 + r.IntN(8*most))
			keys := make([]uint64, r.IntN(2*most))
			for i := range keys {
				keys[i] = (r.Uint64N(distinct) + 1) * 0x9e3779b97f4a7c15 << r.IntN(3)
			}
			kept := keys[max(len(keys)-most, 0):]
			wantTwice := len(kept) != len(distinctOf(kept))
			again, twice := k.Enter(keys, 0)
			isFirst, least := len(model.came) == 0, 0
			for _, key := range kept {
				if model.isLast(key) {
					least++
				}
				model.came = append(model.came, key)
				all[key] = true
			}
			if !isFirst && (again < least || twice != wantTwice) {
				t.Fatalf("seed %d, page %d: %d of at least %d came again, %t", seed, page, again, least, twice)
			}
			for range 50 {
				key := (r.Uint64N(2*distinct) + 1) * 0x9e3779b97f4a7c15
				if isKnown := k.Has(key); isKnown && !all[key] || !isKnown && model.isLast(key) {
					t.Fatalf("seed %d, page %d: %x is known: %t", seed, page, key, isKnown)
				}
			}
			if page%20 == 7 {
				k = again1(t, k)
			}
		}
	}
}

func distinctOf(keys []uint64) map[uint64]bool {
	all := map[uint64]bool{}
	for _, key := range keys {
		all[key] = true
	}
	return all
}

// again1 writes down what is known, and reads it back.
func again1(t *testing.T, k *evidence.KnownKeys) *evidence.KnownKeys {
	t.Helper()
	text, err := json.Marshal(k)
	if err != nil {
		t.Fatal(err)
	}
	back := &evidence.KnownKeys{}
	if err := json.Unmarshal(text, back); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(k, back); d != "" {
		t.Fatal(d)
	}
	return back
}

func TestASampleHasAllKeysThatAreDivisible(t *testing.T) {
	k := &evidence.KnownKeys{Most: evidence.KnownOfOther}
	key := func(i int) uint64 { return uint64(i+1) * 0x9e3779b97f4a7c15 }
	const came = 200_000
	for i := 0; i < came; i += 500 {
		var page []uint64
		for j := range 500 {
			page = append(page, key(i+j))
		}
		if again, twice := k.Enter(page, 0); again > 0 || twice {
			t.Fatalf("at %d: %d came again", i, again)
		}
	}
	sample, divisor := k.All()
	if len(sample) < evidence.KnownOfOther/8 || divisor < 2 {
		t.Errorf("%d keys are divisible by %d", len(sample), divisor)
	}
	for i := range came {
		if key(i)%divisor == 0 && !k.Has(key(i)) {
			t.Fatalf("the %dth key is forgotten", i)
		}
	}
}

func TestWhatIsKnownIsBounded(t *testing.T) {
	for most, bound := range map[int]int{evidence.KnownOfRoot: 1 << 20, evidence.KnownOfOther: 64 << 10} {
		k := &evidence.KnownKeys{Most: most}
		for i := range 4 * most / 1000 * 4 {
			page := make([]uint64, 1000)
			for j := range page {
				page[j] = uint64(i*1000+j+1) * 0x9e3779b97f4a7c15
			}
			k.Enter(page, 0)
		}
		bytes := int(unsafe.Sizeof(*k)) + 8*(cap(k.Waiting)+cap(k.Last)+cap(k.Sample.Slots)) + 2*(cap(k.Newest)+cap(k.Before))
		if len(k.Last) != most || bytes > bound {
			t.Errorf("%d of %d keys take %d bytes", len(k.Last), most, bytes)
		}
	}
}

func TestFewKeysTakeLittle(t *testing.T) {
	k := &evidence.KnownKeys{Most: evidence.KnownOfRoot}
	k.Enter([]uint64{1, 2, 3}, 0)
	if len(k.Waiting) != 3 || k.Last != nil {
		t.Errorf("a walk of one page has a table: %+v", k)
	}
	k.Enter([]uint64{4}, 0)
	if bytes := 8*cap(k.Last) + 2*(cap(k.Newest)+cap(k.Before)); bytes > 1024 || k.Sample.Slots != nil {
		t.Errorf("four keys take %d bytes", bytes)
	}
}

func TestAChainOfKeysThatWereChosenIsNotWalkedToItsEnd(t *testing.T) {
	k := &evidence.KnownKeys{Most: evidence.KnownOfRoot}
	var keys []uint64
	for i := range 1000 {
		keys = append(keys, uint64(i+1)<<48|1) // of one bucket
	}
	for i := 0; i < len(keys); i += 100 {
		k.Enter(keys[i:i+100], 0)
	}
	if !k.Has(keys[999]) || k.Has(keys[0]) {
		t.Errorf("the last one is known: %t, the first: %t", k.Has(keys[999]), k.Has(keys[0]))
	}
}

// BenchmarkKnown is what one key costs in a walk that is longer than what is known exactly.
func BenchmarkKnown(b *testing.B) {
	k, n := &evidence.KnownKeys{Most: evidence.KnownOfRoot}, uint64(0)
	page := make([]uint64, 1000)
	for b.Loop() {
		for i := range page {
			n++
			page[i] = n * 0x9e3779b97f4a7c15
		}
		k.Enter(page, 0)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1000, "ns/key")
}
