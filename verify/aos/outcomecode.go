package aos

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// outcomeCodes judges each code, and what follows from it.
func (j *checker) outcomeCodes(list []*jsondoc.Node) {
	codes, retryable, status := j.rule("code"), j.rule("retryable"), j.rule("status")
	for i, o := range list {
		n := o.Get("code")
		if !isText(n) {
			continue
		}
		class := classOf(n.Text())
		j.httpStatus(status, i, o)
		switch {
		case n.Text() == documentsRateLimit:
			codes.add(verify.Info, j.outcome(i, "code"), n, "documentation-form", "the document's name for a rate limit (PIN-009, Allowed Nondeterminism Zones); no list of the runtime has it")
		case !codePattern.MatchString(n.Text()):
			codes.add(verify.Fail, j.outcome(i, "code"), n, "malformed", "malformed: must be capitals, digits, _ and -")
		case class == codeUnknown:
			codes.add(verify.Warn, j.outcome(i, "code"), n, "unknown-code", "unknown code "+brief(n))
		}
		flag := o.Get("retryable")
		switch {
		case !flag.Is(jsondoc.Bool):
		case class == codeRetryable && !isTrue(flag):
			retryable.add(verify.Fail, j.outcome(i, "retryable"), flag, "retryable-differs", brief(n)+" is retryable").Observed = "true"
		case class == codeNotRetryable && isTrue(flag):
			retryable.add(verify.Fail, j.outcome(i, "retryable"), flag, "retryable-differs", brief(n)+" is not retryable").Observed = "false"
		}
		s := o.Get("status")
		switch isError := class == codeRetryable || class == codeNotRetryable || strings.HasPrefix(n.Text(), "ERR_"); {
		case s.Text() == "success" && isError:
			status.add(verify.Fail, j.outcome(i, "status"), s, "status-contradicts-code", "success with an error code")
		case s.Text() == "failure" && isSuccess(n.Text()):
			status.add(verify.Fail, j.outcome(i, "status"), s, "status-contradicts-code", "failure with a success code")
		}
	}
	codes.end("")
	retryable.end("as the taxonomy has it")
	status.end("")
}

// documentsRateLimit is the one code that the document names and no list of the runtime has.
const documentsRateLimit = "ERR_RATE_LIMITED"

var httpCode = regexp.MustCompile(`^ERR_HTTP_([0-9]{3}|[45]XX)(?:_|$)`)

// httpStatus holds a recorded HTTP status against the code that it must have become
// ("HTTP 503 → always ERR_HTTP_503", PIN-009, Error Code Mapping).
func (j *checker) httpStatus(r *rule, i int, o *jsondoc.Node) {
	code := o.Get("code").Text()
	for _, name := range []string{"http_status", "status_code"} {
		n := o.Get("details").Get(name)
		status, ok := n.Int()
		if !ok {
			continue
		}
		field := j.outcome(i, "details."+name)
		text := strconv.FormatInt(status, 10)
		switch m := httpCode.FindStringSubmatch(code); {
		case m == nil && (status < 400 || !isSuccess(code)):
		case m == nil:
			r.add(verify.Fail, field, n, "code-differs", "HTTP "+text+" is no "+brief(o.Get("code")))
		case m[1] != text && m[1] != text[:1]+"XX":
			r.add(verify.Fail, field, n, "code-differs", "HTTP "+text+" always becomes ERR_HTTP_"+text+", and the code is "+brief(o.Get("code"))).Observed = verify.Shorten(code, 64)
		}
	}
}
