package config_test

import (
	"testing"

	"sluice/pipeline/secret"
	"sluice/source/config"
)

func TestMaskTakesSecretsOutAndLeavesTheRest(t *testing.T) {
	for document, want := range map[string]string{
		`{"config":{"#a":"x","b":"y","#n":12,"jobs":[{"#a":"x"}]}}`:                                                                            `{"config":{"#a":"<config.#a:x>","b":"y","#n":"<config.#n:12>","jobs":[{"#a":"x"}]}}`,
		`{"config":{"o":{"#in":["x",true,{"k":1}],"out":1}}}`:                                                                                  `{"config":{"o":{"#in":["<config.o.#in.0:x>",true,{"k":"<config.o.#in.2.k:1>"}],"out":1}}}`,
		`{"config":{"#t":"{\"a\": \"x\", \"b\": [2]}"}}`:                                                                                       `{"config":{"#t":"{\"a\":\"<config.#t.a:x>\",\"b\":[\"<config.#t.b.0:2>\"]}"}}`,
		`{"config":{"#t":"{no JSON"}}`:                                                                                                         `{"config":{"#t":"<config.#t:{no JSON>"}}`,
		`{"parameters":{"config":{"#a":"x"}},"config":{"#a":"y"}}`:                                                                             `{"parameters":{"config":{"#a":"<config.#a:x>"}},"config":{"#a":"y"}}`,
		`{"authorization":{"oauth_api":{"credentials":{"appKey":"k","#appSecret":"s","#data":{"attr":"#d"}}}},"config":{}}`:                    `{"authorization":{"oauth_api":{"credentials":{"appKey":"k","#appSecret":"<authorization.oauth_api.credentials.#appSecret:s>","#data":{"attr":"#d"}}}},"config":{}}`,
		`{"parameters":{"authorization":{"oauth_api":{"credentials":{"#appSecret":"s"}}},"config":{}}}`:                                        `{"parameters":{"authorization":{"oauth_api":{"credentials":{"#appSecret":"<authorization.oauth_api.credentials.#appSecret:s>"}}},"config":{}}}`,
		`{"api":{"aws":{"signature":{"credentials":{"accessKeyId":"i","#secretKey":"s"}}}},"config":{}}`:                                       `{"api":{"aws":{"signature":{"credentials":{"accessKeyId":"i","#secretKey":"<api.aws.signature.credentials.#secretKey:s>"}}}},"config":{}}`,
		`{"authorization":{"oauth_api":{"credentials":{"#data":{"t":"x","n":[1]},"#appSecret":{"function":"md5","args":["x"]}}}},"config":{}}`: `{"authorization":{"oauth_api":{"credentials":{"#data":{"t":"<authorization.oauth_api.credentials.#data.t:x>","n":["<authorization.oauth_api.credentials.#data.n.0:1>"]},"#appSecret":{"function":"md5","args":["x"]}}}},"config":{}}`,
		`{"config":[]}`: `{"config":[]}`, `[]`: `[]`, `{}`: `{}`,
	} {
		var p config.Problems
		root := config.Parse("test", []byte(document), &p)
		got := config.Mask(root, func(path string, n *config.Node) string { return "<" + path + ":" + n.Text() + ">" })
		if string(got.Raw) != want {
			t.Errorf("%s\ngot  %s\nwant %s", document, got.Raw, want)
		}
		if string(root.Raw) != document && len(p.All()) == 0 && len(document) != len(root.Raw) {
			t.Errorf("%s became %s", document, root.Raw)
		}
	}
	var p config.Problems
	if config.Mask(nil, nil) != nil {
		t.Error("of nothing comes something")
	}
	masked := config.Mask(config.Parse("test", []byte(`{"config":{"#a":"secret-value"}}`), &p), func(string, *config.Node) string { return "shown" })
	if value, secret, ok := config.Decode(masked, &secret.Set{}, &p).Attribute("#a"); string(value) != `"shown"` || !secret || !ok {
		t.Errorf("the attribute is %s", value)
	}
}
