// Answers as JSON; what is frozen is serialised once, as long as it lives.

/** The JSON of frozen answers. */
const jsonOfFrozen = new WeakMap<object, Buffer>()

/** `{"key":…}`, the JSON of an answer that has no other member, by the frozen value of that member. */
const objects = new WeakMap<object, { key: string; json: Buffer }>()

/** The JSON of frozen elements of long frozen lists: little of them changes from one second to the next. */
const elements = new WeakMap<object, string>()

/** A shorter list costs less to make anew than its elements' texts take to keep. */
const longList = 100

/**
 * The JSON of an answer. If it is frozen, or the value of one of its keys, that is taken to be so at every depth:
 * consoles ask for the same large lists every second.
 */
export function toJson(answer: object): string | Buffer {
  if ('toJSON' in answer) return JSON.stringify(answer)
  if (Object.isFrozen(answer)) return frozenJson(answer)
  if (Array.isArray(answer) || !hasFrozen(answer)) return JSON.stringify(answer)
  const found = Object.entries(answer).flatMap(([key, value]) => objectOf(key, value) ?? [])
  const [only, ...more] = found
  return only && more.length === 0 ? only : joined(found)
}

function frozenJson(answer: object): Buffer {
  const json = jsonOfFrozen.get(answer) ?? Buffer.from(JSON.stringify(answer))
  jsonOfFrozen.set(answer, json)
  return json
}

const isFrozen = (value: unknown): value is object => value instanceof Object && Object.isFrozen(value)

function hasFrozen(answer: object): boolean {
  for (const key in answer) if (isFrozen(Reflect.get(answer, key))) return true
  return false
}

/** Undefined for what JSON leaves out. */
function objectOf(key: string, value: unknown): Buffer | undefined {
  const frozen = isFrozen(value) ? value : undefined
  const known = frozen && objects.get(frozen)
  if (known?.key === key) return known.json
  const text: string | undefined = frozen && Array.isArray(frozen) ? listOf(frozen) : JSON.stringify(value)
  if (text === undefined) return undefined
  const json = Buffer.from(`{${JSON.stringify(key)}:${text}}`)
  if (frozen) objects.set(frozen, { key, json })
  return json
}

function listOf(list: unknown[]): string {
  if (list.length < longList) return JSON.stringify(list)
  // A list with holes too: `map` would leave them out.
  return `[${Array.from(list, elementOf).join(',')}]`
}

function elementOf(element: unknown): string {
  if (!isFrozen(element)) return JSON.stringify(element) ?? 'null'
  const text = elements.get(element) ?? JSON.stringify(element) ?? 'null'
  elements.set(element, text)
  return text
}

/** One object of the members of all. */
function joined(found: readonly Buffer[]): Buffer {
  const members = found.flatMap((json, index) => [Buffer.from(index === 0 ? '' : ','), json.subarray(1, -1)])
  return Buffer.concat([Buffer.from('{'), ...members, Buffer.from('}')])
}
