// The configuration block of the exec provider.
import { attr, type ConfigOf, configSchema } from '@tenon/provider';

export const config = configSchema({
  shell: attr.string({
    description: 'The shell of bash commands, by absolute path or by name on PATH.',
    default: 'bash',
  }),
  allowed_roots: attr.listString({
    description:
      'Folders in which commands may start; relative ones are below the working directory of the call. ' +
      'It bounds where a command starts, not what it touches: that takes a sandbox. Default: anywhere.',
  }),
  env_allow: attr.listString({
    description: "Variables of the provider's environment that commands get beside the fixed list.",
    default: [],
  }),
  env: attr.mapString({
    description: 'Variables set for every command.',
    sensitive: true,
    default: {},
  }),
  max_output_bytes: attr.number({
    description:
      'Output that a result shows: the first and the last half of it. The whole goes to a file.',
    default: 32_768,
  }),
  output_folder: attr.string({
    description:
      'Folder for the files of long outputs. Default: tenon-exec in the temporary folder.',
  }),
  timeout_seconds: attr.number({
    description: 'A command that names no timeout of its own is ended after this time.',
    default: 120,
  }),
  max_timeout_seconds: attr.number({
    description: 'The longest timeout that a call may ask for.',
    default: 3_600,
  }),
  grace_seconds: attr.number({
    description: 'Between SIGTERM and SIGKILL, when a command is ended.',
    default: 1,
  }),
  max_sessions: attr.number({
    description: 'How many named shell sessions may live at the same time.',
    default: 8,
  }),
});

export type ExecConfig = ConfigOf<typeof config>;
