// Package expr compiles and evaluates function expressions and references
// (decisions.md, section 4): {"function": …, "args": […]}, {"attr": …},
// {"response": …}, at any depth inside other JSON.
package expr
