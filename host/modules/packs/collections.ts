// The collections of a pack: documents that match their schemas, in the store.
import type { Document, Documents } from '../../../stores/store.ts'
import type { Check } from '../../contract/loaded-command.ts'
import type { LoadedPack } from '../../contract/loaded-module.ts'
import type { Collection, StoredDocument } from '../../contract/pack.ts'
import { createDocumentSecrets, type DocumentSecrets } from './document-secrets.ts'
import type { PackSecrets } from './pack-secrets.ts'

export interface CollectionsDeps {
  documents: Documents
  limits: { collection_bytes: number }
  secrets: PackSecrets
}

/** Bytes of a document as JSON. */
const maxBytes = 65_536
const maxKeyCharacters = 256
const maxPage = 1000
const defaultPage = 100
/** Documents that are read and parsed in one tick. */
const pageOfAll = 250

/** By their names. */
export function createCollections(
  { name: pack, checkDocuments, declared }: Pick<LoadedPack, 'name' | 'checkDocuments' | 'declared'>,
  deps: CollectionsDeps,
): Readonly<Record<string, Collection>> {
  const entries = Array.from(checkDocuments, ([name, check]) => {
    const secrets = createDocumentSecrets({ pack, name, schema: declared.collections?.[name] ?? {} }, deps.secrets)
    return [name, createCollection({ pack, name, check, secrets }, deps)]
  })
  return Object.freeze(Object.fromEntries(entries))
}

function createCollection(
  { pack, name, check, secrets }: { pack: string; name: string; check: Check; secrets: DocumentSecrets },
  { documents, limits }: CollectionsDeps,
): Collection {
  const explain = (key: string, reason: string) => new Error(`pack ${pack}, collection ${name}, key ${key}: ${reason}`)
  const at = (key: string) => {
    if (typeof key !== 'string') throw explain(String(key), `expected a text as key, got ${typeof key}`)
    if (key.length === 0 || key.length > maxKeyCharacters)
      throw explain(key.slice(0, maxKeyCharacters), `expected 1 to ${maxKeyCharacters} characters, got ${key.length}`)
    return { pack, collection: name, key }
  }
  const toStored = ({ key, value: json, version }: Document): StoredDocument => {
    const value: unknown = JSON.parse(json)
    secrets.open(key, value)
    return { key, value, version }
  }
  return Object.freeze({
    async get(key: string) {
      const document = await documents.find(at(key))
      return document && toStored(document)
    },
    async put(key: string, value: unknown, { version }: { version?: number } = {}) {
      const place = at(key)
      const given: string | undefined = JSON.stringify(value)
      if (given === undefined) throw explain(key, `expected a value of JSON, got ${typeof value}`)
      // As it is stored: a date becomes a text.
      const stored: unknown = JSON.parse(given)
      const mismatch = check(stored)
      if (mismatch !== undefined) throw explain(key, mismatch)
      secrets.seal(key, stored)
      const json = JSON.stringify(stored)
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
    async *all(prefix = '') {
      for (let after: string | undefined = ''; after !== undefined; ) {
        const page = await documents.list({ pack, collection: name }, { prefix, after, limit: pageOfAll })
        for (const document of page) yield toStored(document)
        after = page.length < pageOfAll ? undefined : page.at(-1)?.key
      }
    },
  })
}
