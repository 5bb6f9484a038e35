// Comparing what came with what a case expects.

/** Whether `value` has everything that `wanted` has: objects by their keys, lists item by item, the rest equal. */
export function contains(value: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(value) &&
      value.length === wanted.length &&
      wanted.every((item, index) => contains(value[index], item))
    );
  }
  if (typeof wanted === 'object' && wanted !== null) {
    return (
      typeof value === 'object' &&
      value !== null &&
      Object.entries(wanted).every(
        ([key, item]) =>
          Object.hasOwn(value, key) && contains((value as Record<string, unknown>)[key], item),
      )
    );
  }
  return Object.is(value, wanted);
}
