// The collections of a pack: documents that match their schemas, in the store.
import type { Document, Documents } from '../../../stores/store.ts'
import type { Check } from '../../contract/loaded-command.ts'
import type { LoadedPack } from '../../contract/loaded-module.ts'
import type { Collection, StoredDocument } from '../../contract/pack.ts'

export interface CollectionsDeps {
  documents: Documents
  limits: { collection_bytes: number }
}

/** Bytes of a document as JSON. */
const maxBytes = 65_536
const maxKeyCharacters = 256
const maxPage = 1000
const defaultPage = 100

/** By their names. */
export function createCollections(
  { name: pack, checkDocuments }: Pick<LoadedPack, 'name' | 'checkDocuments'>,
  deps: CollectionsDeps,
): Readonly<Record<string, Collection>> {
  const entries = Array.from(checkDocuments, ([name, check]) => [name, createCollection({ pack, name, check }, deps)])
  return Object.freeze(Object.fromEntries(entries))
}

function createCollection(
  { pack, name, check }: { pack: string; name: string; check: Check },
  { documents, limits }: CollectionsDeps,
): Collection {
  const explain = (key: string, reason: string) => new Error(`pack ${pack}, collection ${name}, key ${key}: ${reason}`)
  const at = (key: string) => {
    if (typeof key !== 'string') throw explain(String(key), `expected a text as key, got ${typeof key}`)
    if (key.length === 0 || key.length > maxKeyCharacters)
      throw explain(key.slice(0, maxKeyCharacters), `expected 1 to ${maxKeyCharacters} characters, got ${key.length}`)
    return { pack, collection: name, key }
  }
  return Object.freeze({
    async get(key: string) {
      const document = await documents.find(at(key))
      return document && toStored(document)
    },
    async put(key: string, value: unknown, { version }: { version?: number } = {}) {
      const place = at(key)
      const json: string | undefined = JSON.stringify(value)
      if (json === undefined) throw explain(key, `expected a value of JSON, got ${typeof value}`)
      // As it is stored: a date becomes a text.
      const mismatch = check(JSON.parse(json))
      if (mismatch !== undefined) throw explain(key, mismatch)
      const bytes = Buffer.byteLength(json)
      if (bytes > maxBytes) throw explain(key, `expected at most ${maxBytes} bytes of JSON, got ${bytes}`)
      const mostBytes = limits.collection_bytes
      const condition = version === undefined ? { mostBytes } : { mostBytes, version }
      const result = await documents.put({ ...place, value: json }, condition)
      if (result === 'full') throw explain(key, `expected at most ${mostBytes} bytes in all collections, got more`)
      return result === 'conflict' ? undefined : result
    },
    delete: async (key: string, { version }: { version?: number } = {}) => documents.delete(at(key), version),
    async list({ prefix, after, limit = defaultPage }: { prefix?: string; after?: string; limit?: number } = {}) {
      if (!Number.isInteger(limit) || limit < 1 || limit > maxPage)
        throw new Error(`pack ${pack}, collection ${name}: limit: expected 1 to ${maxPage}, got ${limit}`)
      const page = { ...(prefix !== undefined && { prefix }), ...(after !== undefined && { after }), limit }
      return (await documents.list({ pack, collection: name }, page)).map(toStored)
    },
  })
}

const toStored = ({ key, value, version }: Document): StoredDocument => ({ key, value: JSON.parse(value), version })
