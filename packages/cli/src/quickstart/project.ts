// The small project that quickstart works on. Made anew for each run, in a folder of its own.
import { mkdir, mkdtemp, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundledCommand } from '../kernel/bundled.js';
import { hclString } from './initial-config.js';

export interface Project {
  /** Absolute path of the folder that holds everything. */
  readonly folder: string;
  readonly config: string;
}

const GREET = `export function greet(name) {
  return 'Hello, ' + name;
}

export function farewell(name) {
  return 'Goodbye, ' + name;
}
`;

const README = `# Greetings

Says hello and goodbye.
`;

/** Makes the project; `edits` is what its policy says about edits. */
export async function makeProject(edits: 'ask' | 'allow'): Promise<Project> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'tenon-quickstart-')));
  await mkdir(join(folder, 'src'));
  await writeFile(join(folder, 'README.md'), README);
  await writeFile(join(folder, 'src', 'greet.js'), GREET);
  const config = join(folder, 'agent.hcl');
  await writeFile(config, configText(folder, edits));
  return { folder, config };
}

function configText(folder: string, edits: 'ask' | 'allow'): string {
  const command = bundledCommand('filesystem', folder)
    .map((word) => hclString(word))
    .join(', ');
  return `# The configuration of the quickstart project: one provider, two policies.
provider "filesystem" {
  command = [${command}]

  config {
    # Nothing outside of this project can be read or written, whatever a policy says.
    allowed_roots   = [${hclString(folder)}]
    state_directory = ${hclString(join(folder, '.agent', 'filesystem'))}
  }
}

policy "edits" {
  match  = { provider = "filesystem", tool_name = "edit_file" }
  action = "${edits}"
  reason = "${edits === 'ask' ? 'edits are looked at by a person' : 'there was no terminal to ask on when this project was made'}"
}

policy "writes" {
  match  = { provider = "filesystem", tool_name = "write_file" }
  action = "allow"
  reason = "new files are fine here"
}
`;
}
