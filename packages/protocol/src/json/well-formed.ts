// String.prototype.isWellFormed is in Node 20, but not yet in the TypeScript library that we compile against.

/** False when the text holds a lone surrogate, which UTF-8 cannot carry. */
export function isWellFormed(text: string): boolean {
  return (text as string & { isWellFormed(): boolean }).isWellFormed();
}
