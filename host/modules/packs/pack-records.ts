// What administrators have decided about packs, in the store and in memory: every request of a pack's command asks for it.
import type { Documents } from '../../../stores/store.ts'
import { isRefusal } from '../../contract/refusal.ts'
import type { PackRole, Refusal } from '../../contract/services.ts'
import { createMutex } from '../../system/mutex.ts'
import type { Values } from './setting-values.ts'

export interface PackRecord {
  enabled?: boolean
  role?: PackRole
  /** Without secrets and defaults. */
  settings?: Values
  /** Encrypted, by their names. */
  secrets?: Readonly<Record<string, string>>
}

interface StoredRecord {
  record: PackRecord
  version: number
}

const collection = { pack: '', collection: 'settings' } as const
const pageSize = 1000
/** Of a change, while other hosts change the same record. */
const maxAttempts = 10

export class PackRecords {
  readonly #documents: Documents
  readonly #changed: () => void
  readonly #oneAtATime = createMutex()
  #records = new Map<string, StoredRecord>()

  /** `changed` is called after each change, here or on another host. */
  constructor(documents: Documents, changed: () => void) {
    this.#documents = documents
    this.#changed = changed
  }

  get(pack: string): PackRecord | undefined {
    return this.#records.get(pack)?.record
  }

  names(): string[] {
    return [...this.#records.keys()]
  }

  list(): PackRecord[] {
    return Array.from(this.#records.values(), ({ record }) => record)
  }

  /** Reads the store: at the start, and when another host may have changed it. */
  async reload(): Promise<void> {
    const hasChanged = await this.#oneAtATime(() => this.#read())
    if (hasChanged) this.#changed()
  }

  /** Stores what `change` makes of the record. */
  change(pack: string, change: (record: PackRecord) => PackRecord | Refusal): Promise<Refusal | undefined> {
    return this.#oneAtATime(() => this.#tryChange(pack, change))
  }

  async #tryChange(
    pack: string,
    change: (record: PackRecord) => PackRecord | Refusal,
    attempts = maxAttempts,
  ): Promise<Refusal | undefined> {
    const { record, version } = this.#records.get(pack) ?? { record: {}, version: 0 }
    const changed = change(record)
    if (isRefusal(changed)) return changed
    const result = await this.#documents.put({ ...collection, key: pack, value: JSON.stringify(changed) }, { version })
    if (typeof result === 'number') {
      this.#records.set(pack, { record: changed, version: result })
      this.#changed()
      return undefined
    }
    if (attempts === 0) throw new Error(`packs: expected to store the record of ${pack}, got ${result}`)
    await this.#read()
    return this.#tryChange(pack, change, attempts - 1)
  }

  delete(pack: string): Promise<void> {
    return this.#oneAtATime(async () => {
      await this.#documents.delete({ ...collection, key: pack })
      if (this.#records.delete(pack)) this.#changed()
    })
  }

  /** Whether it found something new. */
  async #read(): Promise<boolean> {
    const records = new Map<string, StoredRecord>()
    for (let after: string | undefined; ; ) {
      const page = await this.#documents.list(collection, { limit: pageSize, ...(after !== undefined && { after }) })
      for (const { key, value, version } of page)
        records.set(key, this.#unchanged(key, version) ?? parse(value, version))
      after = page.at(-1)?.key
      if (page.length < pageSize) break
    }
    const isSame =
      records.size === this.#records.size && [...records].every(([key, each]) => this.#records.get(key) === each)
    this.#records = records
    return !isSame
  }

  #unchanged(pack: string, version: number): StoredRecord | undefined {
    const stored = this.#records.get(pack)
    return stored?.version === version ? stored : undefined
  }
}

// The daemon alone writes this collection, and writes objects.
const parse = (value: string, version: number): StoredRecord => ({ record: JSON.parse(value), version })
