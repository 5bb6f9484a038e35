// Command host is a plugin host on the real hashicorp/go-plugin: it launches a tool provider, calls every RPC
// of the tool service, cancels a call, ends the provider, and prints one JSON object per step.
//
//	host [-tls] [-multiplex] [-checksum] [-reattach] [-config JSON] [-calls FILE] [-kill] -- COMMAND [ARG…]
package main

import (
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"tenon.dev/interop/contract"
)

type options struct {
	tls, multiplex, checksum, reattach, kill bool
	config, calls, directory                 string
	command                                  []string
}

func main() {
	var o options
	flag.BoolVar(&o.tls, "tls", false, "AutoMTLS")
	flag.BoolVar(&o.multiplex, "multiplex", false, "GRPCBrokerMultiplex")
	flag.BoolVar(&o.checksum, "checksum", false, "SecureConfig with the command's SHA-256")
	flag.BoolVar(&o.reattach, "reattach", false, "attach a second client to the running provider")
	flag.BoolVar(&o.kill, "kill", false, "leave without ending the provider (as a host that dies)")
	flag.StringVar(&o.config, "config", "{}", "what Configure is given")
	flag.StringVar(&o.calls, "calls", "", "file with a JSON list of calls")
	flag.StringVar(&o.directory, "directory", ".", "working directory of the calls")
	flag.Parse()
	o.command = flag.Args()
	if err := run(o); err != nil {
		report("failed", map[string]any{"error": err.Error()})
		plugin.CleanupClients()
		os.Exit(1)
	}
}

// report prints one step.
func report(step string, fields map[string]any) {
	fields["step"] = step
	line, err := json.Marshal(fields)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(line))
}

func config(o options) (*plugin.ClientConfig, error) {
	c := &plugin.ClientConfig{
		HandshakeConfig:     contract.Handshake,
		Plugins:             map[string]plugin.Plugin{contract.PluginName: &toolPlugin{}},
		Cmd:                 exec.Command(o.command[0], o.command[1:]...),
		AllowedProtocols:    []plugin.Protocol{plugin.ProtocolGRPC},
		SkipHostEnv:         true,
		AutoMTLS:            o.tls,
		GRPCBrokerMultiplex: o.multiplex,
		StartTimeout:        20 * time.Second,
		SyncStdout:          &lines{stream: "stdout"},
		SyncStderr:          &lines{stream: "stderr"},
		Logger:              hclog.New(&hclog.LoggerOptions{Level: hclog.Error, Output: os.Stderr}),
	}
	c.Cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME")}
	if o.checksum {
		path, err := exec.LookPath(o.command[0])
		if err != nil {
			return nil, err
		}
		file, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		hash := sha256.New()
		if _, err := io.Copy(hash, file); err != nil {
			return nil, err
		}
		c.SecureConfig = &plugin.SecureConfig{Checksum: hash.Sum(nil), Hash: sha256.New()}
	}
	return c, nil
}

func run(o options) error {
	if len(o.command) == 0 {
		return fmt.Errorf("no command after --")
	}
	c, err := config(o)
	if err != nil {
		return err
	}
	client := plugin.NewClient(c)
	protocol, err := client.Client()
	if err != nil {
		return fmt.Errorf("launch: %w", err)
	}
	report("launched", map[string]any{"pid": client.ReattachConfig().Pid, "protocol": string(client.Protocol()), "version": client.NegotiatedVersion()})
	if err := protocol.Ping(); err != nil {
		return fmt.Errorf("ping: %w", err)
	}
	report("pinged", map[string]any{})
	raw, err := protocol.Dispense(contract.PluginName)
	if err != nil {
		return fmt.Errorf("dispense: %w", err)
	}
	if err := exercise(o, raw.(*tool)); err != nil {
		return err
	}
	if o.reattach {
		if err := again(client.ReattachConfig()); err != nil {
			return fmt.Errorf("reattach: %w", err)
		}
	}
	if o.kill {
		os.Exit(0)
	}
	client.Kill()
	report("ended", map[string]any{"exited": client.Exited()})
	return nil
}

// again talks to the running provider through a second client that did not launch it.
func again(reattach *plugin.ReattachConfig) error {
	second := plugin.NewClient(&plugin.ClientConfig{
		HandshakeConfig:  contract.Handshake,
		Plugins:          map[string]plugin.Plugin{contract.PluginName: &toolPlugin{}},
		AllowedProtocols: []plugin.Protocol{plugin.ProtocolGRPC},
		Reattach:         reattach,
		Logger:           hclog.New(&hclog.LoggerOptions{Level: hclog.Error, Output: os.Stderr}),
	})
	protocol, err := second.Client()
	if err != nil {
		return err
	}
	if err := protocol.Ping(); err != nil {
		return err
	}
	report("reattached", map[string]any{"pid": reattach.Pid})
	return nil
}
