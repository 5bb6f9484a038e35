/** A text as it is; anything else is no text, and gives ''. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
