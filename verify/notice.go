package verify

// Notice is a sentence about the run itself.
type Notice struct {
	Status  Status `json:"status"` // info, warn or FAIL
	Code    string `json:"code"`   // stable word, such as "base-missing"
	Message string `json:"message"`
	// NextStep says what to do about it, or is empty.
	NextStep string `json:"next_step,omitempty"`
	// Example is text to copy for the next step, such as a step of a workflow;
	// it is ours and holds nothing from the tree.
	Example string `json:"example,omitempty"`
}
