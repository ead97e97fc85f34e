module github.com/replay-gate/replay-gate/internal/githubtest/interop/act

go 1.26.0

require (
	github.com/nektos/act v0.2.89
	github.com/replay-gate/replay-gate v0.0.0
)

require (
	github.com/golang-jwt/jwt/v5 v5.3.0 // indirect
	github.com/google/go-github/v60 v60.0.0 // indirect
	github.com/google/go-querystring v1.1.0 // indirect
	github.com/julienschmidt/httprouter v1.3.0 // indirect
	github.com/sethvargo/go-githubactions v1.3.2 // indirect
	github.com/sirupsen/logrus v1.9.3 // indirect
	golang.org/x/sys v0.49.0 // indirect
	google.golang.org/protobuf v1.36.9 // indirect
)

replace github.com/replay-gate/replay-gate => ../../../..
