// Reads fields out of JSON of unknown shape: what is missing or of another type is empty.

export function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}

export function list(value: unknown, key: string): unknown[] {
  const found = field(value, key)
  return Array.isArray(found) ? found : []
}

/** Numbers come as their digits, since existing callers send either. */
export function text(value: unknown, key: string): string {
  const found = field(value, key)
  return typeof found === 'string' || typeof found === 'number' ? String(found) : ''
}
