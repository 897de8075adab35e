// What PowerShell prints of CIM classes, as JSON that nothing is known of.

export type Values = Record<string, unknown>

export const toValues = (value: unknown): Values => (value instanceof Object ? { ...value } : {})

/** PowerShell 5 prints some lists as `{"value": […], "Count": 2}`. */
export function toList(value: unknown): unknown[] {
  const list = Array.isArray(value) ? value : toValues(value).value
  return Array.isArray(list) ? list : []
}

/** The objects in the list with that name. */
export const listOf = (parent: unknown, key: string): Values[] => toList(toValues(parent)[key]).map(toValues)
