// Remembers what a pure function gave for the texts that it was last asked about: one call is held against many rules.

const SIZE = 32;

export function latest<T>(make: (text: string) => T): (text: string) => T {
  const known = new Map<string, { readonly value: T }>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found.value;
    const value = make(text);
    // The oldest goes: a Map keeps the order in which its keys came.
    if (known.size >= SIZE) known.delete(known.keys().next().value as string);
    known.set(text, { value });
    return value;
  };
}
