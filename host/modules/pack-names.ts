// Which file the name of each pack belongs to, and from that which files are on.
import { dirname } from 'node:path'
import type { LoadedModule } from '../contract/loaded-module.ts'
import type { Contender } from './contender.ts'

/** Whether a pack is enabled, by its name and origin. */
export type IsEnabled = (pack: string, origin: string) => boolean

/** Built-in packs are off until somebody enables them. */
export const isEnabledByDefault: IsEnabled = (_, origin) => origin !== 'built-in'

export class PackNames {
  readonly #owners = new Map<string, Contender>()

  /** The files in the order in which they may claim names. */
  constructor(files: readonly Contender[]) {
    for (const file of files) {
      const { pack } = file.place
      if (hasPackName(file) && (file.newest ?? file.lastGood) && !this.#owners.has(pack)) this.#owners.set(pack, file)
    }
  }

  /** Why a file cannot have the name of its pack. */
  conflictOf(contender: Contender): string | undefined {
    const { pack } = contender.place
    const owner = this.#owners.get(pack)
    if (!owner || owner === contender || !hasPackName(contender)) return undefined
    return `the pack ${pack} belongs to ${owner.file}`
  }

  /** A file in a folder is on when that of its pack was good once and the pack is enabled. */
  isOn({ file, place, origin }: Contender, version: LoadedModule, isEnabled: IsEnabled): boolean {
    const owner = this.#owners.get(place.pack)
    if (place.isInPack && (!owner?.place.isPackFile || dirname(owner.file) !== dirname(file))) return false
    const isPack = place.isInPack || (version.kind !== 'pack' && version.ownPack !== undefined)
    return !isPack || isEnabled(place.pack, origin)
  }
}

/** Of a folder `pack.ts` has it; a file outside of packs is a pack of its own. */
const hasPackName = ({ place }: Contender) => place.isPackFile || !place.isInPack
