// The environment of the contract: what a host sets, and what it lets through from its own.

/** Names of go-plugin's variables. */
export const ENV = {
  protocolVersions: 'PLUGIN_PROTOCOL_VERSIONS',
  minPort: 'PLUGIN_MIN_PORT',
  maxPort: 'PLUGIN_MAX_PORT',
  clientCert: 'PLUGIN_CLIENT_CERT',
  socketDir: 'PLUGIN_UNIX_SOCKET_DIR',
  socketGroup: 'PLUGIN_UNIX_SOCKET_GROUP',
  multiplex: 'PLUGIN_MULTIPLEX_GRPC',
} as const;

/**
 * What a program needs to run at all and that holds no secret. Pass it to {@link allowedEnv}, with
 * the names that the plugin in question needs beside it.
 */
export const DEFAULT_ENV_NAMES: readonly string[] =
  process.platform === 'win32'
    ? [
        'PATH',
        'PATHEXT',
        'SystemRoot',
        'SystemDrive',
        'windir',
        'ComSpec',
        'TEMP',
        'TMP',
        'USERPROFILE',
        'USERNAME',
        'APPDATA',
        'LOCALAPPDATA',
        'PROGRAMDATA',
        'NUMBER_OF_PROCESSORS',
        'PROCESSOR_ARCHITECTURE',
      ]
    : [
        'PATH',
        'HOME',
        'USER',
        'LOGNAME',
        'SHELL',
        'TMPDIR',
        'LANG',
        'LANGUAGE',
        'LC_ALL',
        'LC_CTYPE',
        'LC_MESSAGES',
        'TZ',
        'TERM',
        'NO_COLOR',
        'XDG_RUNTIME_DIR',
      ];

/** The named variables of `from` that are set. Names are exact, except on Windows. */
export function allowedEnv(
  names: readonly string[],
  from: NodeJS.ProcessEnv = process.env,
): Record<string, string> {
  const fold = (name: string) => (process.platform === 'win32' ? name.toUpperCase() : name);
  const wanted = new Set(names.map(fold));
  const picked: Record<string, string> = {};
  for (const [name, value] of Object.entries(from)) {
    if (value !== undefined && wanted.has(fold(name))) picked[name] = value;
  }
  return picked;
}
