// Limits how deeply the objects and lists of a body are nested: what works through them calls itself for each level.

/** Levels; payloads of commands have fewer than ten. */
export const maxLevels = 100

/** Whether objects and lists are nested more than `levels` deep. Looks at each value once. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  const values: unknown[] = Array.isArray(value) ? value : Object.values(value)
  return values.some(each => isDeeperThan(levels - 1, each))
}
