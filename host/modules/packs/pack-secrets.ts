// Reads and writes the secrets in the records of packs, and remembers which of them cannot be decrypted.
import { isRefusal, refuse } from '../../contract/refusal.ts'
import type { Refusal } from '../../contract/services.ts'
import { type Log, message } from '../../log/log.ts'
import type { PackRecord, PackRecords } from './pack-records.ts'
import type { Secrets } from './secrets.ts'
import { nameOf, type Path, type Values, valueAt } from './setting-values.ts'

/** Part of `Packs`. */
export interface StoredPacks {
  readonly records: PackRecords
  readonly secrets: PackSecrets
}

export class PackSecrets {
  readonly #secrets: Secrets
  readonly #log: Log
  /** Why the secrets of a pack are absent, by pack. */
  readonly #problems = new Map<string, string>()

  constructor(secrets: Secrets, log: Log) {
    this.#secrets = secrets
    this.#log = log
  }

  /** The values of the secrets at these paths, by their names. One that cannot be decrypted counts as absent. */
  read(pack: string, { secrets = {} }: PackRecord, paths: readonly Path[]): Map<string, unknown> {
    const values = new Map<string, unknown>()
    const problems: string[] = []
    for (const name of paths.map(nameOf)) {
      const encrypted = secrets[name]
      if (encrypted === undefined) continue
      try {
        values.set(name, this.#secrets.decrypt(encrypted, contextOf(pack, name)))
      } catch (error) {
        problems.push(`${name}: ${message(error)}`)
      }
    }
    this.#report(pack, problems)
    return values
  }

  /** `others`: all records of packs. A refusal when the key of their secrets is missing: this host must not make another one. */
  write(
    pack: string,
    values: ReadonlyMap<string, unknown>,
    others: readonly PackRecord[],
  ): Record<string, string> | Refusal {
    if (values.size === 0) return {}
    const hasSecrets = others.some(({ secrets = {} }) => Object.keys(secrets).length > 0)
    if (hasSecrets && !this.#secrets.hasKey())
      return refuse(
        `settings: expected ${this.#secrets.file}, with which other secrets are encrypted, got no such file`,
      )
    return Object.fromEntries(
      Array.from(values, ([name, value]) => [name, this.#secrets.encrypt(value, contextOf(pack, name))]),
    )
  }

  /** Of a document: `place` are the names of its pack and collection, its key, and the name of the secret. */
  seal(value: unknown, place: readonly string[]): string {
    return this.#secrets.encrypt(value, place.join('/'))
  }

  /** Undefined for one that cannot be decrypted. */
  open(encrypted: string, place: readonly string[]): unknown {
    const [pack, collection] = place
    const problems: string[] = []
    try {
      return this.#secrets.decrypt(encrypted, place.join('/'))
    } catch (error) {
      problems.push(message(error))
      return undefined
    } finally {
      this.#report(`${pack}, collection ${collection}`, problems)
    }
  }

  /** Whether some secrets of a pack could not be decrypted when it was read last. */
  hasProblem(pack: string): boolean {
    return this.#problems.has(pack)
  }

  /** For the health. */
  notes(): string[] {
    return Array.from(this.#problems, ([pack, problem]) => `pack ${pack}: secrets are absent: ${problem}`)
  }

  #report(pack: string, problems: string[]): void {
    const problem = problems.join('; ')
    if (this.#problems.get(pack) === problem) return
    if (problem === '') return void this.#problems.delete(pack)
    this.#problems.set(pack, problem)
    this.#log.warn('packs', `${pack}: secrets cannot be decrypted and count as absent: ${problem}`)
  }
}

const contextOf = (pack: string, name: string) => `${pack}/${name}`

/** The encrypted secrets of a record: those that are absent in the settings stay as they are. */
export function encryptedOf(
  settings: Readonly<Values>,
  { secrets = {} }: PackRecord,
  { name, paths, packs }: { name: string; paths: readonly Path[]; packs: StoredPacks },
): Record<string, string> | Refusal {
  const added = new Map<string, unknown>()
  const kept: Record<string, string> = {}
  for (const path of paths) {
    const value = valueAt(settings, path)
    const stored = secrets[nameOf(path)]
    if (value === undefined && stored !== undefined) kept[nameOf(path)] = stored
    else if (value !== undefined && value !== null) added.set(nameOf(path), value)
  }
  const encrypted = packs.secrets.write(name, added, packs.records.list())
  return isRefusal(encrypted) ? encrypted : { ...kept, ...encrypted }
}
