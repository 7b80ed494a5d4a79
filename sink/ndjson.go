package sink

import (
	"bytes"

	"sluice/pipeline"
	"sluice/pipeline/item"
	"sluice/pipeline/report"
)

// columnsOfOutput bound what the report says of the items of an output: those whose keys are ids would fill memory.
var columnsOfOutput = item.ColumnLimits{Names: 10_000, Bytes: 1 << 20}

// ndjsonEncoder writes the format that batches have already.
type ndjsonEncoder struct {
	// What the items have at their top; nil: no report will say that.
	columns *item.Columns

	redact func(name string) string
}

func newNDJSON(o *Options, out *openOutput, _ *scratch) encoder {
	if !out.counts {
		return &ndjsonEncoder{}
	}
	return &ndjsonEncoder{columns: item.NewColumns(columnsOfOutput), redact: o.Redact}
}

func (n *ndjsonEncoder) encode(b *pipeline.Batch) ([]byte, error) {
	switch {
	case n.columns == nil:
	case !b.Counted:
		for line := range bytes.Lines(b.Text) {
			n.columns.Add(bytes.TrimSuffix(line, []byte{'\n'}))
		}
	case b.Columns != nil:
		n.columns.Merge(b.Columns)
	}
	return b.Text, nil
}

func (n *ndjsonEncoder) finish(entry *report.OutputReport, _ bool, _ func([]byte) error) error {
	if n.columns == nil {
		return nil
	}
	entry.Columns = []report.OutputColumn{}
	for name, kinds := range n.columns.All() {
		column := report.OutputColumn{Name: n.redact(name), Kinds: kindsOf(kinds)}
		entry.Columns = append(entry.Columns, column)
	}
	entry.NotObjects = kindsOf(n.columns.Others())
	entry.LeftOutValues = n.columns.Left()
	n.columns.Reset()
	return nil
}

// kindsOf are the kinds as the report has them; nil: there are none.
func kindsOf(k *item.Kinds) *report.KindCounts {
	if k.Values() == 0 {
		return nil
	}
	return &report.KindCounts{
		String:  k[item.IsString],
		Integer: k[item.IsInteger],
		Number:  k[item.IsNumber],
		Boolean: k[item.IsBoolean],
		Null:    k[item.IsNull],
		Object:  k[item.IsObject],
		Array:   k[item.IsArray],
	}
}

func (*ndjsonEncoder) close() {}
