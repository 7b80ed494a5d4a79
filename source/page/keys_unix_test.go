//go:build unix

package page_test

import (
	"bytes"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"sluice/source/evidence"
	"sluice/source/page"
)

// BenchmarkKeys reads pages in turn with and without their keys, and says what the CPU takes for these, in
// percent of all.
func BenchmarkKeys(b *testing.B) {
	const text = `"name":"some name %d","active":true,"tags":["red","green"],"owner":{"id":%d,"city":"Zürich"},"text":"`
	short, long := text+strings.Repeat("lorem ", 25)+`"`, text+strings.Repeat("lorem ", 145)+`"`
	for name, form := range map[string]string{
		"first/300": `{"id":%d,` + short + `}`, "first/1000": `{"id":%d,` + long + `}`,
		"last/300": `{` + short + `,"id":%d}`, "last/1000": `{` + long + `,"id":%d}`,
	} {
		b.Run(name, func(b *testing.B) {
			var items []string
			for i := range 1000 {
				items = append(items, fmt.Sprintf(form, 1_000_000+i, i, i))
			}
			body := []byte("[" + strings.Join(items, ",") + "]")
			d := &page.Decoder{}
			// The least, since what else runs only adds to it.
			took := [2]time.Duration{time.Hour, time.Hour}
			for b.Loop() {
				for i := range took {
					spec := &page.Spec{Detect: true}
					if i == 1 {
						finder := evidence.NewKeyFinder(evidence.Unique{}, evidence.Sought{Key: "id"}, false, evidence.KnownOfRoot)
						spec.Top = finder.Top()
						spec.Each = func(text []byte) error { finder.Add(text); return nil }
					}
					began := cpu(b)
					p, err := d.Decode(bytes.NewReader(body), spec)
					if err != nil {
						b.Fatal(err)
					}
					if err := p.Batches(release); err != nil {
						b.Fatal(err)
					}
					took[i] = min(took[i], cpu(b)-began)
				}
			}
			b.ReportMetric(float64(len(body))/1000, "bytes/item")
			b.ReportMetric(float64(took[0].Nanoseconds())/1000, "ns/item")
			b.ReportMetric(100*float64(took[1]-took[0])/float64(took[0]), "%")
		})
	}
}

// cpu is what this process has had of the CPU.
func cpu(b *testing.B) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
