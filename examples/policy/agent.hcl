# Looking is allowed, tests may run, removal may not, and everything else that changes something is asked for.
provider "exec" {
  command = ["node", "../../providers/exec/bin/provider.js"]
  dev     = true
}

policy "looking" {
  match  = { tool_name = "exec.bash", args = { command = { prefix = "git status" } } }
  action = "allow"
}

policy "no-removal" {
  match  = { tool_name = "exec.bash", args = { command = { prefix = "rm" } } }
  action = "deny"
}
