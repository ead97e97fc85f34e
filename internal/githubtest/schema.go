package githubtest

import (
	"bytes"
	"context"
	_ "embed"
	"io"
	"net/http"
	"net/url"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"
)

//go:embed openapi/slice.json
var slice []byte

// schema is the slice of GitHub's OpenAPI description.
type schema struct{ router routers.Router }

func loadSchema() *schema {
	doc, err := openapi3.NewLoader().LoadFromData(slice)
	if err != nil {
		panic(err) // the slice is a file of this package
	}
	doc.Servers = nil
	router, err := legacy.NewRouter(doc)
	if err != nil {
		panic(err)
	}
	return &schema{router}
}

var validation = &openapi3filter.Options{
	AuthenticationFunc:    openapi3filter.NoopAuthenticationFunc,
	IncludeResponseStatus: true,
}

// request holds a request against the description. Its path is without prefix.
func (s *schema) request(r *http.Request, path string, body []byte) (*openapi3filter.RequestValidationInput, error) {
	r = r.Clone(context.Background())
	r.URL = &url.URL{Path: path, RawQuery: r.URL.RawQuery}
	r.Body = io.NopCloser(bytes.NewReader(body))
	route, params, err := s.router.FindRoute(r)
	if err != nil {
		return nil, err
	}
	in := &openapi3filter.RequestValidationInput{Request: r, PathParams: params, Route: route, Options: validation}
	return in, openapi3filter.ValidateRequest(context.Background(), in)
}

// response holds a reply against the description.
func (s *schema) response(in *openapi3filter.RequestValidationInput, status int, body []byte) error {
	return openapi3filter.ValidateResponse(context.Background(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: in, Status: status, Options: validation,
		Header: http.Header{"Content-Type": {"application/json"}},
		Body:   io.NopCloser(bytes.NewReader(body)),
	})
}
