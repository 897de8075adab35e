// Protects what all code of the process has in common, the built-in objects of JavaScript and Node, from command files.

const globals = Object.entries(Object.getOwnPropertyDescriptors(globalThis))

/** The built-in constructors, functions and name spaces such as `Math`. */
const builtIns: readonly (readonly [name: string, object: object])[] = globals.flatMap(([name, { value }]) =>
  value instanceof Function || (value instanceof Object && value !== globalThis) ? [[name, value] as const] : [],
)

const prototypeOf = (value: unknown): object => Object(Object.getPrototypeOf(value))

const prototypes: readonly (readonly [name: string, object: object])[] = [
  ['Object.prototype', Object.prototype],
  ...builtIns.flatMap(([name, builtIn]) => {
    const prototype: unknown = Reflect.get(builtIn, 'prototype')
    return prototype instanceof Object ? [[`${name}.prototype`, prototype] as const] : []
  }),
  ['TypedArray.prototype', prototypeOf(Int8Array.prototype)],
  ['AsyncFunction.prototype', prototypeOf(async () => {})],
  ['ArrayIterator.prototype', prototypeOf([].values())],
]

// Taken before any command file runs: what undoes a change must not use what was changed.
const { ownKeys, getOwnPropertyDescriptor, defineProperty, deleteProperty } = Reflect
const isEqual = Object.is

/** For the life of the process: nobody adds a property to a prototype, which every object of its kind would have. */
export function lockPrototypes(): void {
  for (const [, prototype] of prototypes) Object.preventExtensions(prototype)
}

/** An object, and which of its properties are restored. */
interface Protected {
  name: string
  object: object
  /** Properties that are functions or name spaces only: libraries set others, such as `Error.stackTraceLimit`. */
  onlyFunctions: boolean
  /** Properties that are there: names of its own in `globalThis` are a file's own matter, although others see them. */
  onlyPresent: boolean
  /** Its changes are undone without an error: libraries make some, such as another `process.cwd`. */
  isQuiet: boolean
  keys: PropertyKey[]
  descriptors: (PropertyDescriptor | undefined)[]
}

/**
 * Runs `run`, then undoes what it has changed of built-in objects. Throws what `run` has thrown, else an error that names
 * a change.
 */
export function withUnchangedBuiltIns<Result>(run: () => Result): Result {
  const all = [
    ...prototypes.map(([name, object]) => protect(name, object)),
    ...builtIns.map(([name, object]) => protect(name, object, { onlyFunctions: true })),
    protect('globalThis', globalThis, { onlyFunctions: true, onlyPresent: true }),
    protect('process', process, { onlyFunctions: true, isQuiet: true }),
  ]
  let changed: string | undefined
  let result: Result
  try {
    result = run()
  } finally {
    for (let index = 0; index < all.length; index += 1) changed = restore(all[index]) ?? changed
  }
  if (changed !== undefined) throw new Error(`${changed}: expected no change of what all code uses, got one`)
  return result
}

function protect(
  name: string,
  object: object,
  { onlyFunctions = false, onlyPresent = false, isQuiet = false } = {},
): Protected {
  const keys = ownKeys(object)
  const descriptors = keys.map(key => getOwnPropertyDescriptor(object, key))
  return { name, object, onlyFunctions, onlyPresent, isQuiet, keys, descriptors }
}

/** Returns the name of a property that was added, changed or deleted. Uses no method: `run` may have changed any. */
function restore(before: Protected | undefined): string | undefined {
  if (before === undefined) return undefined
  const { name, object, onlyFunctions, onlyPresent, isQuiet, keys, descriptors } = before
  let changed: PropertyKey | undefined
  for (let index = 0; index < keys.length; index += 1) {
    const key = keys[index] ?? ''
    const descriptor = descriptors[index]
    if (descriptor === undefined || isSame(descriptor, getOwnPropertyDescriptor(object, key))) continue
    if (onlyFunctions && !isFunctionOrNameSpace(descriptor)) continue
    defineProperty(object, key, descriptor)
    changed = key
  }
  const after = onlyPresent ? [] : ownKeys(object)
  for (let index = 0; index < after.length; index += 1) {
    const key = after[index] ?? ''
    if (includes(keys, key)) continue
    if (onlyFunctions && typeof getOwnPropertyDescriptor(object, key)?.value !== 'function') continue
    deleteProperty(object, key)
    changed = key
  }
  return changed === undefined || isQuiet ? undefined : `${name}.${typeof changed === 'symbol' ? 'a symbol' : changed}`
}

const isFunctionOrNameSpace = ({ value }: PropertyDescriptor): boolean =>
  typeof value === 'function' || (typeof value === 'object' && value !== null)

function includes(keys: readonly PropertyKey[], key: PropertyKey): boolean {
  for (let index = 0; index < keys.length; index += 1) if (keys[index] === key) return true
  return false
}

const isSame = (a: PropertyDescriptor, b: PropertyDescriptor | undefined): boolean =>
  b !== undefined && isEqual(a.value, b.value) && a.get === b.get && a.set === b.set
