// Reads fields of JSON of unknown shape; a missing field or one of another type is empty.

export function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}

export function list(value: unknown, key: string): unknown[] {
  const fieldValue = field(value, key)
  return Array.isArray(fieldValue) ? fieldValue : []
}

/** A number is returned as its digits, since existing callers send either. */
export function text(value: unknown, key: string): string {
  const fieldValue = field(value, key)
  return typeof fieldValue === 'string' || typeof fieldValue === 'number' ? String(fieldValue) : ''
}
