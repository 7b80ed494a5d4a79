package s3

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
	"github.com/aws/smithy-go"
)

// Stored says what all objects are stored with, beside their bytes. What is empty the bucket says.
type Stored struct {
	// How the server encrypts them: AES256, aws:kms or aws:kms:dsse.
	Encryption string

	// Of aws:kms: the id or ARN; empty: that of the bucket.
	Key string

	// The storage class, such as STANDARD_IA.
	Class string

	// NAME=VALUE, each.
	Tags []string

	// A canned access list, such as bucket-owner-full-control.
	ACL string
}

// Limits of Amazon S3 on the tags of an object, in characters.
const (
	mostTags        = 10
	longestTagName  = 128
	longestTagValue = 256
)

// archives are classes whose objects cannot be read at once.
var archives = []string{string(types.StorageClassGlacier), string(types.StorageClassDeepArchive)}

// encryptions are those that may be asked for.
var encryptions = []string{
	string(types.ServerSideEncryptionAes256),
	string(types.ServerSideEncryptionAwsKms),
	string(types.ServerSideEncryptionAwsKmsDsse),
}

// cannedACLs are those of S3, and the one that only Google Cloud Storage has.
func cannedACLs() []string {
	var all []string
	for _, acl := range types.ObjectCannedACL("").Values() {
		all = append(all, string(acl))
	}
	return append(all, "project-private")
}

// known returns an error that names the flag where its value is none of the words. Storage classes have no such list:
// gateways have some of their own.
func known(flag, value string, words []string) error {
	if value == "" || slices.Contains(words, value) {
		return nil
	}
	return fmt.Errorf("%s %s: is not known (have %s)", flag, value, strings.Join(words, ", "))
}

// check returns an error of usage, which names the flag.
func (s *Stored) check() error {
	if err := known("--s3-sse", s.Encryption, encryptions); err != nil {
		return err
	}
	if err := known("--s3-acl", s.ACL, cannedACLs()); err != nil {
		return err
	}
	if s.Key != "" && !strings.HasPrefix(s.Encryption, "aws:kms") {
		return errors.New("--s3-kms-key wants --s3-sse aws:kms beside it")
	}
	if slices.Contains(archives, s.Class) {
		return fmt.Errorf("--s3-storage-class %s: its objects cannot be read at once, as the next run must: "+
			"use GLACIER_IR, or let a lifecycle rule move them", s.Class)
	}
	if len(s.Tags) > mostTags {
		return fmt.Errorf("--s3-tag: %d tags are too many, an object has %d at most", len(s.Tags), mostTags)
	}
	seen := map[string]bool{}
	for _, tag := range s.Tags {
		name, value, ok := strings.Cut(tag, "=")
		switch {
		case !ok || name == "":
			return fmt.Errorf("--s3-tag %s: must be NAME=VALUE", tag)
		case len([]rune(name)) > longestTagName || len([]rune(value)) > longestTagValue:
			return fmt.Errorf("--s3-tag %s: a name has %d characters at most, a value %d", name, longestTagName, longestTagValue)
		case seen[name]:
			return fmt.Errorf("--s3-tag %s: is given twice", name)
		}
		seen[name] = true
	}
	return nil
}

// tagging is the header for the tags; nil: there are none.
func (s *Stored) tagging() *string {
	if len(s.Tags) == 0 {
		return nil
	}
	var all []string
	for _, tag := range s.Tags {
		name, value, _ := strings.Cut(tag, "=")
		all = append(all, escapeTag(name)+"="+escapeTag(value))
	}
	return aws.String(strings.Join(all, "&"))
}

// escapeTag writes a blank as %20, which all servers read.
func escapeTag(text string) string { return strings.ReplaceAll(url.QueryEscape(text), "+", "%20") }

// key is that of aws:kms; nil: that of the bucket.
func (s *Stored) key() *string {
	if s.Key == "" {
		return nil
	}
	return &s.Key
}

// An unencrypted error says that an object is stored, but not as the server was asked to encrypt it.
type unencrypted struct{ text string }

func (e *unencrypted) Error() string { return e.text }

// encrypted returns an error if the server does not say that it encrypts as it was asked to.
func (t *Target) encrypted(key string, by types.ServerSideEncryption) error {
	wanted := t.options.Stored.Encryption
	if wanted == "" || string(by) == wanted {
		return nil
	}
	said := "does not say that it does"
	if by != "" {
		said = fmt.Sprintf("says %s instead", by)
	}
	text := fmt.Sprintf("%s: --s3-sse %s: %s was asked to encrypt so, and %s", t.uri(key), wanted, t.endpoint, said)
	return &unencrypted{text}
}

// refusals say which flag an answer that is an error may be about, by its code.
var refusals = map[string]func(s *Stored) string{
	"InvalidStorageClass":              func(s *Stored) string { return "--s3-storage-class " + s.Class },
	"InvalidTag":                       func(*Stored) string { return "--s3-tag" },
	"AccessControlListNotSupported":    func(s *Stored) string { return "--s3-acl " + s.ACL },
	"InvalidEncryptionAlgorithmError":  func(s *Stored) string { return "--s3-sse " + s.Encryption },
	"KMS.NotFoundException":            func(s *Stored) string { return "--s3-kms-key " + s.Key },
	"KMS.DisabledException":            func(s *Stored) string { return "--s3-kms-key " + s.Key },
	"KMS.InvalidStateException":        func(s *Stored) string { return "--s3-kms-key " + s.Key },
	"KMS.KMSInvalidStateException":     func(s *Stored) string { return "--s3-kms-key " + s.Key },
	"ServerSideEncryptionNotSupported": func(s *Stored) string { return "--s3-sse " + s.Encryption },
	"NotImplemented":                   (*Stored).given,
	"InvalidArgument":                  (*Stored).given,
	"InvalidRequest":                   (*Stored).given,
}

// given lists the flags that are given.
func (s *Stored) given() string {
	var flags []string
	for _, flag := range []struct {
		name  string
		given bool
	}{
		{"--s3-sse", s.Encryption != ""},
		{"--s3-kms-key", s.Key != ""},
		{"--s3-storage-class", s.Class != ""},
		{"--s3-tag", len(s.Tags) > 0},
		{"--s3-acl", s.ACL != ""},
	} {
		if flag.given {
			flags = append(flags, flag.name)
		}
	}
	return strings.Join(flags, ", ")
}

// about names the flags that an answer which is an error may be about, for its message; nothing if none is given.
func (s *Stored) about(err smithy.APIError) string {
	flag := refusals[err.ErrorCode()]
	if flag == nil || s.given() == "" {
		return ""
	}
	return "; it may be about " + flag(s)
}

// permissions are those that what objects are stored with takes beside that to put them, for a message.
func (s *Stored) permissions() string {
	more := ""
	if len(s.Tags) > 0 {
		more += ", with --s3-tag s3:PutObjectTagging"
	}
	if s.ACL != "" {
		more += ", with --s3-acl s3:PutObjectAcl"
	}
	if s.Key != "" {
		more += ", with --s3-kms-key kms:GenerateDataKey and kms:Decrypt of that key"
	}
	return more
}
