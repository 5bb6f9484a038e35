// Records whose keys come from outside: `__proto__` must be a key like any other.

/** Sets an own property of any name; plain assignment to `__proto__` would set the prototype instead. */
export function setOwn<T>(object: Record<string, T>, key: string, value: T): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  } else {
    object[key] = value;
  }
}
