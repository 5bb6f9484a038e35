# Two providers in other languages beside one of ours. Build the Go one first:
#   (cd interop/go && go build -o bin/provider ./provider)
provider "go" {
  command = ["../../interop/go/bin/provider"]
  dev     = true
}

provider "python" {
  command = ["../../interop/python/.venv/bin/python", "../../interop/python/provider.py"]
  tls     = "off" # grpcio has no part in the TLS of plugins
  dev     = true
}
