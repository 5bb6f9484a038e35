// The text of a first agent.hcl: every bundled provider, the usual policies, and in comments what else there is.
import { bundledCommand } from '../kernel/bundled.js';
import type { BundledProvider } from '../kernel/bundled.js';

/** The text for a configuration that stands in `folder`. */
export function initialConfig(folder: string): string {
  const command = (name: BundledProvider): string =>
    `[${bundledCommand(name, folder).map(hclString).join(', ')}]`;
  return `# What an agent may do here. "tenon operations" lists what can be called, "tenon policy test" the decision on
# each. The same structure can be written as JSON, in agent.json.

# ── Providers ────────────────────────────────────────────────────────────────────────────────────────────
# Each runs as a process of its own, and sees no environment variables but PATH, HOME, TMPDIR, LANG and those
# that are named by env (set here) or env_allow (handed through).

provider "filesystem" {
  command = ${command('filesystem')}

  config {
    # What may be read and changed, after symbolic links are resolved. Relative to the folder of each call.
    allowed_roots = ["."]
    # read_only_roots = ["/usr/share/doc"]
  }
}

provider "search" {
  command = ${command('search')}

  config {
    allowed_roots = ["."]
  }
}

provider "exec" {
  command = ${command('exec')}
  # env_allow = ["SSH_AUTH_SOCK"]

  config {
    timeout_seconds = 120
  }
}

provider "web" {
  command = ${command('web')}

  config {
    # Only these hosts, with their subdomains. Without the list: any public host; private addresses never.
    # allowed_domains = ["developer.mozilla.org", "nodejs.org"]
  }
}

provider "task" {
  command = ${command('task')}
}

provider "user" {
  command = ${command('user')}
}

# A provider of your own, and a deadline for one of its operations:
#
# provider "mine" {
#   command = ["node", "./provider.mjs"]
#   dev     = true # it has no entry in the lock file
#
#   timeouts {
#     build = "10m"
#   }
# }

# ── Policies ─────────────────────────────────────────────────────────────────────────────────────────────
# What is not named in match matches anything; the most specific rule that matches wins, in the order
# tool_name > provider > risk > kind. Two equally specific rules that fit the same call are an error at load.
# Without a rule, what changes something is asked, and what only reads is allowed.

policy "look-at-git" {
  # One simple command that begins with these words: neither "git status; x" nor "git status > f" is.
  match  = { tool_name = "exec.bash", args = { command = { prefix = "git status" } } }
  action = "allow"
  reason = "it only looks"
}

policy "no-secrets" {
  match  = { tool_name = "filesystem.read_file", args = { path = "**/.env" } }
  action = "deny"
  reason = "secrets stay out of the conversation"
}

# policy "edits-in-src" {
#   match  = { tool_name = "filesystem.edit_file", args = { path = "src/**" } }
#   action = "allow"
# }

# ── The kernel ───────────────────────────────────────────────────────────────────────────────────────────
# Everything here has a default; these are they.

kernel {
  # journal         = ".agent/journal.db"
  # default_timeout = "2m"
  # preview_timeout = "3s"

  # retry {
  #   max_attempts = 3
  #   base         = "200ms"
  # }

  # bounds {
  #   max_turns  = 200
  #   wall_clock = "2h"
  # }
}
`;
}

/** A text as HCL writes it: like JSON, but "\${" and "%{" would begin a template. */
export function hclString(text: string): string {
  return JSON.stringify(text).replaceAll('${', '$${').replaceAll('%{', '%%{');
}
