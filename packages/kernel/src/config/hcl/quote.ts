// A text as the configuration language writes it. Pure.

/** In quotes. "${" and "%{" would begin a template, so their sign is written by its number. */
export function quoted(text: string): string {
  return JSON.stringify(text).replaceAll(/[$%](?=\{)/g, (sign) =>
    sign === '$' ? '\\u0024' : '\\u0025',
  );
}
