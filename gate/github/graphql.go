package github

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// graphql sends a query or a mutation, for which the job needs a permission, to
// GitHub's GraphQL API. Errors come there with status 200. data takes the answer,
// and may be nil.
func (c *Client) graphql(ctx context.Context, permission, query string, variables map[string]any, data any) error {
	// The one API lies beside the other: /graphql beside /, /api/graphql beside
	// /api/v3 on GitHub Enterprise Server.
	at := *c.api.BaseURL
	at.Path = strings.TrimSuffix(strings.TrimSuffix(at.Path, "/"), "/v3") + "/graphql"
	req, err := c.api.NewRequest(http.MethodPost, at.String(), map[string]any{"query": query, "variables": variables})
	if err != nil {
		return err
	}
	var answer struct {
		Data   json.RawMessage
		Errors []struct{ Type, Message string }
	}
	if _, err := c.api.Do(ctx, req, &answer); err != nil {
		return err
	}
	if len(answer.Errors) > 0 {
		e := answer.Errors[0]
		message := cut(oneLine(e.Message), 300)
		if e.Type == "FORBIDDEN" {
			return &PermissionError{permission, http.StatusForbidden, message}
		}
		return errors.New("GitHub says: " + message)
	}
	if data == nil {
		return nil
	}
	if err := json.Unmarshal(answer.Data, data); err != nil {
		return fmt.Errorf("GitHub's answer is not one to the query: %w", err)
	}
	return nil
}
