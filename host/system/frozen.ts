// Registers values that are frozen at every depth, so that their JSON can be cached.

const registered = new WeakSet<object>()

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Freezes a plain object or list at every depth and registers it. */
export function freeze<Value extends object>(value: Value): Value {
  if (registered.has(value)) return value
  for (const child of Array.isArray(value) ? value : Object.values(value)) if (isObject(child)) freeze(child)
  registered.add(value)
  return Object.freeze(value)
}

/** Registers what a store returns as `Frozen`, which is frozen at every depth by the contract in stores/store.ts. */
export function registerFrozen<Value>(value: Value): Value {
  if (isObject(value) && Object.isFrozen(value)) registered.add(value)
  return value
}

/** False for a value that a command froze itself: it may have frozen only the outermost level. */
export const isFrozenByHost = (value: unknown): value is object => isObject(value) && registered.has(value)
