// Responses as JSON. A value that the host froze is serialised once: consoles read the same large lists every second.
import { isFrozenByHost } from '../system/frozen.ts'

/** The JSON of a frozen value, alone or as the only member `key` of an object. */
interface CachedJson {
  key: string | undefined
  json: Buffer
}

const values = new WeakMap<object, CachedJson>()

/** The JSON of the elements of long frozen lists: from one second to the next, few of them change. */
const elements = new WeakMap<object, string>()

/** The elements of shorter lists cost less to serialise again than to cache. */
const longList = 100

export function toJson(response: object): string | Buffer {
  if (isFrozenByHost(response)) return cachedJson(response, undefined)
  const [key, ...otherKeys] = Object.keys(response)
  if (key === undefined || otherKeys.length > 0 || Array.isArray(response) || 'toJSON' in response) {
    return JSON.stringify(response)
  }
  const value: unknown = Reflect.get(response, key)
  return isFrozenByHost(value) ? cachedJson(value, key) : JSON.stringify(response)
}

function cachedJson(value: object, key: string | undefined): Buffer {
  const cached = values.get(value)
  if (cached && cached.key === key) return cached.json
  const json = Buffer.from(serialize(value, key))
  values.set(value, { key, json })
  return json
}

function serialize(value: object, key: string | undefined): string {
  if (!Array.isArray(value) || value.length < longList) {
    return JSON.stringify(key === undefined ? value : { [key]: value })
  }
  // Array.from also visits the holes of a list.
  const list = `[${Array.from(value, elementJson).join(',')}]`
  return key === undefined ? list : `{${JSON.stringify(key)}:${list}}`
}

function elementJson(element: unknown): string {
  if (!isFrozenByHost(element)) return JSON.stringify(element) ?? 'null'
  const text = elements.get(element) ?? JSON.stringify(element) ?? 'null'
  elements.set(element, text)
  return text
}
