// Encrypts stored settings that a newer version of their pack declares as secrets.

import type { LoadedPack } from '../../contract/loaded-module.ts'
import { isRefusal } from '../../contract/refusal.ts'
import { type Log, message } from '../../log/log.ts'
import { encryptedOf, type StoredPacks } from './pack-secrets.ts'
import { nameOf, type Path, secretPaths, valueAt, without } from './setting-values.ts'

interface Packs extends StoredPacks {
  loaded(): readonly LoadedPack[]
}

/** Looks whenever packs or their records change. */
export class NewSecrets {
  readonly #packs: Packs
  readonly #log: Log
  /** The packs whose records are being stored. */
  readonly #storing = new Set<string>()

  constructor(packs: Packs, log: Log) {
    this.#packs = packs
    this.#log = log
  }

  encrypt(): void {
    for (const { name, declared } of this.#packs.loaded()) {
      const paths = this.#openPaths(name, secretPaths(declared.settings))
      if (paths.length === 0 || this.#storing.has(name)) continue
      this.#storing.add(name)
      this.#encrypt(name, paths)
        .catch(error => this.#log.warn('packs', `${name}: secrets are stored in clear text: ${message(error)}`))
        .finally(() => this.#storing.delete(name))
    }
  }

  #openPaths(pack: string, paths: readonly Path[]): readonly Path[] {
    const { settings = {} } = this.#packs.records.get(pack) ?? {}
    return paths.filter(path => valueAt(settings, path) !== undefined)
  }

  async #encrypt(name: string, paths: readonly Path[]): Promise<void> {
    const packs = this.#packs
    const refusal = await packs.records.change(name, current => {
      const { settings = {}, secrets } = current
      const encrypted = encryptedOf(settings, current, { name, paths, packs })
      if (isRefusal(encrypted)) return encrypted
      return { ...current, settings: without(settings, paths), secrets: { ...secrets, ...encrypted } }
    })
    if (isRefusal(refusal)) throw new Error(refusal.refused)
    const names = paths.map(nameOf).join(', ')
    this.#log.info('packs', `${name}: ${names}: now secret, and no longer stored in clear text`)
  }
}
