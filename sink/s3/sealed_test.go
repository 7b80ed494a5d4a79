package s3_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	sdk "github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"

	"sluice/fixtures/cases"
	"sluice/pipeline"
	"sluice/sink/s3"
	"sluice/sink/target"
)

func TestAnotherProcessPublishesWhatOneHasSealed(t *testing.T) {
	sizes := []int{10, 2*s3.MinPartSize + 1}
	if cases.All() {
		sizes = append(sizes, 0, s3.MinPartSize)
	}
	for name, at := range map[string]func(*testing.T) *place{"embedded": embedded, "gateway": gateway} {
		t.Run(name, func(t *testing.T) {
			p := at(t)
			p.options = s3.Glancing(p.options)
			p.options.Uploads, p.options.PartSize = true, s3.MinPartSize
			for _, size := range sizes {
				sealed := p.seal(t, "x", sample(size))
				if got := p.keys(); len(got) > 0 {
					t.Fatalf("before it is published there is %q", got)
				}
				p.changed(t, sealed)
				var twice sync.WaitGroup
				for range 2 {
					to := p.open(t, "")
					must(t, to.Probe(t.Context(), nil))
					stands(t, to, sealed, true)
					twice.Go(func() {
						if err := to.Finish(t.Context(), sealed); err != nil {
							t.Error(err)
						}
					})
				}
				twice.Wait()
				p.holds(t, "x")
				p.shows(t, "x", sample(size))
				to := p.open(t, "")
				must(t, to.Probe(t.Context(), nil))
				stands(t, to, sealed, true)
				must(t, to.Finish(t.Context(), sealed))
				sum := sha256.Sum256(sample(size))
				if got, err := to.Sum(t.Context(), sealed); err != nil || got != hex.EncodeToString(sum[:]) {
					t.Errorf("its SHA-256 is %s, %v", got, err)
				}
				if name == "gateway" && (size == 10 || cases.All()) { // the embedded one keeps the metadata of what stood there
					p.put(t, "x", "somebody else's")
					stands(t, to, sealed, false)
					if err := to.Finish(t.Context(), sealed); err == nil || pipeline.IsTemporary(err) {
						t.Errorf("what is gone was published, or may still be: %v", err)
					}
					if _, err := to.Sum(t.Context(), sealed); !errors.Is(err, fs.ErrNotExist) {
						t.Errorf("what is gone was read: %v", err)
					}
				}
				must(t, to.Remove(t.Context(), "x"))
			}
		})
	}
}

// Whoever may write to the bucket may complete an upload with a part less.
func TestAnUploadThatSomebodyHasCompletedWithOtherPartsIsRefused(t *testing.T) {
	p := embedded(t)
	p.options.Uploads, p.options.PartSize = true, s3.MinPartSize
	sealed := p.seal(t, "x", sample(s3.MinPartSize+1))
	first := types.CompletedPart{PartNumber: aws.Int32(1), ETag: &sealed.Parts[0][0]}
	_, err := p.client.CompleteMultipartUpload(t.Context(), &sdk.CompleteMultipartUploadInput{
		Bucket: &p.bucket, Key: &sealed.Name, UploadId: &sealed.Hidden,
		MultipartUpload: &types.CompletedMultipartUpload{Parts: []types.CompletedPart{first}},
	})
	must(t, err)
	isRefused(t, p, sealed)
}

// isRefused looks for an upload that is not what was sealed.
func isRefused(t *testing.T, p *place, sealed target.Sealed) {
	t.Helper()
	to := p.open(t, "")
	must(t, to.Probe(t.Context(), nil))
	if there, err := to.Stands(t.Context(), sealed); there || !errors.Is(err, target.ErrChanged) {
		t.Errorf("it stands: %t, %v", there, err)
	}
	if err := to.Finish(t.Context(), sealed); !errors.Is(err, target.ErrChanged) {
		t.Errorf("it was published: %v", err)
	}
}

// Whoever may write to the bucket may also replace a part by another of its length.
func TestAnUploadOfWhichAPartWasReplacedIsRefused(t *testing.T) {
	for name, at := range map[string]func(*testing.T) *place{"embedded": embedded, "gateway": gateway} {
		t.Run(name, func(t *testing.T) {
			p := at(t)
			p.options = s3.Glancing(p.options)
			p.options.Uploads = true
			sealed := p.seal(t, "x", []byte("1234567"))
			_, err := p.client.UploadPart(t.Context(), &sdk.UploadPartInput{
				Bucket: &p.bucket, Key: &sealed.Name, UploadId: &sealed.Hidden, PartNumber: aws.Int32(1),
				Body: strings.NewReader("another"),
			})
			must(t, err)
			isRefused(t, p, sealed)
			if got := p.keys(); len(got) > 0 {
				t.Errorf("there is %q", got)
			}
		})
	}
}

// changed checks that what was changed of a sealed object is noticed, and that it cannot be read yet.
func (p *place) changed(t *testing.T, sealed target.Sealed) {
	t.Helper()
	to := p.open(t, "")
	must(t, to.Probe(t.Context(), nil))
	cut, longer, nobodys := sealed, sealed, sealed
	cut.Parts = sealed.Parts[1:]
	longer.Bytes++
	nobodys.Token = ""
	for _, s := range []target.Sealed{cut, longer, nobodys} {
		if _, err := to.Stands(t.Context(), s); !errors.Is(err, target.ErrChanged) {
			t.Errorf("%+v was not noticed: %v", s, err)
		}
	}
	if _, err := to.Sum(t.Context(), sealed); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an open upload was read: %v", err)
	}
}

// seal leaves an object sealed, as it comes back from a file.
func (p *place) seal(t *testing.T, name string, text []byte) (sealed target.Sealed) {
	t.Helper()
	o, err := p.open(t, "").Create(t.Context(), name)
	must(t, err)
	must(t, o.Write(t.Context(), text))
	must(t, o.Seal(t.Context()))
	written, err := json.Marshal(o.Sealed())
	must(t, errors.Join(err, json.Unmarshal(written, &sealed)))
	sealed.Name, sealed.Bytes = name, int64(len(text))
	return sealed
}

func stands(t *testing.T, to target.Store, sealed target.Sealed, want bool) {
	t.Helper()
	if got, err := to.Stands(t.Context(), sealed); got != want || err != nil {
		t.Errorf("it stands: %t, %v, want %t", got, err, want)
	}
}
