// Copies a JSON value.

/** Through JSON text, so that the copy is what a restart would read from the disk. */
export function copyJson<Value>(value: Value): Value {
  const copy: Value = JSON.parse(JSON.stringify(value))
  return copy
}
