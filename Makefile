# One command before every push: make check.

LINT     := go run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
VERSION  ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo devel)
FUZZTIME ?= 10s
COVERBAR ?= 85

.PHONY: check format lint vet race tidy fmt test cover fuzz bench build

check: format lint vet race tidy ## everything that must hold

format: ## say which files gofmt would change
	@files="$$(gofmt -l .)"; test -z "$$files" || { echo "run make fmt, gofmt would change:"; echo "$$files"; exit 1; }

fmt: ## change them
	gofmt -w .

lint:
	$(LINT) run

vet:
	go vet ./...

test:
	go test ./...

race:
	go test -race ./...

tidy: ## say what go mod tidy would change
	go mod tidy -diff

cover: ## statements that any test reaches, over all packages
	go test -coverpkg=./... -coverprofile=cover.out ./...
	@go tool cover -func=cover.out | awk -v bar=$(COVERBAR) '/^total:/ { share = $$NF + 0 } \
		END { printf "covered: %.1f %% (bar: %d %%)\n", share, bar; exit share < bar }'

fuzz: ## each fuzz target for FUZZTIME
	@set -e; grep -rEo --include='*_test.go' '^func Fuzz[[:alnum:]_]*' . | sed 's|/[^/]*:func | |' | sort | \
	while read -r folder target; do \
		echo "$$folder $$target"; go test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) "$$folder"; \
	done

bench:
	go test -run '^$$' -bench . -benchmem ./...

build: ## one static, stripped binary
	CGO_ENABLED=0 go build -trimpath -ldflags '-s -w -X main.version=$(VERSION)' -o sluice .
