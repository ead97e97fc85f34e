package secrets

// formRules are the forms of widely used credentials, which are recognised by
// themselves, whatever stands around them. Recorded prose speaks of bearers and of
// risk-taking too, so they start at a word's boundary, and a bearer token looks
// like one.
var formRules = []rule{
	{
		id: "form/bearer", regex: `(?i)\bbearer[\s\pZ\x{85}\v]+([a-z0-9._~+/=-]{8,})`, digit: true,
		keywords: []string{"bearer"}, anchors: []string{"bearer"}, fold: true, bounded: true, after: -1, least: 15,
	},
	{
		id: "form/secret-key", regex: `\bsk[-_][A-Za-z0-9_-]{20,}`,
		keywords: []string{"sk-", "sk_"}, anchors: []string{"sk-", "sk_"}, bounded: true, word: true, after: -1, least: 23,
	},
	{
		id: "form/github-token", regex: `\b(?:gh[pousr]|github_pat)_[A-Za-z0-9_]{30,}`,
		keywords: []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"},
		anchors:  []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"}, bounded: true, word: true, after: -1, least: 34,
	},
	{
		// The key of the provider's own documentation is one that answers like to quote.
		id: "form/aws-access-key", regex: `\b(?:AKIA|ASIA)[A-Z0-9]{16}\b`, allowed: []allowance{{regexes: []string{`EXAMPLE$`}}},
		keywords: []string{"akia", "asia"}, anchors: []string{"AKIA", "ASIA"}, bounded: true, word: true, after: 20, least: 20,
	},
	{
		id: "form/slack-token", regex: `\bxox[abprs]-[A-Za-z0-9-]{10,}`, digit: true,
		keywords: []string{"xoxa-", "xoxb-", "xoxp-", "xoxr-", "xoxs-"},
		anchors:  []string{"xoxa-", "xoxb-", "xoxp-", "xoxr-", "xoxs-"}, bounded: true, word: true, after: -1, least: 15,
	},
	{
		id: "form/google-key", regex: `\bAIza[A-Za-z0-9_-]{35}`,
		keywords: []string{"aiza"}, anchors: []string{"AIza"}, bounded: true, word: true, after: 39, least: 39,
	},
	{
		id: "form/jwt", regex: `\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]*`,
		keywords: []string{"eyj"}, anchors: []string{"eyJ"}, bounded: true, word: true, after: -1, least: 28,
	},
}
