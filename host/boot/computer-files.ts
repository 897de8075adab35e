// Keeps the boot files of computers in step with their records.
import type { Computer, ComputerValues, New, Repository, Room, Store } from '../../stores/store.ts'
import { refuse } from '../contract/refusal.ts'
import type { Refusal, RepositoryService } from '../contract/services.ts'
import { createMutex } from '../system/mutex.ts'
import { forEachTimeSliced } from '../system/time-slices.ts'
import type { Boot } from './boot-files.ts'
import { type Save, tickMilliseconds } from './replace-files.ts'
import type { BootSubject } from './template.ts'

interface ComputerFilesDeps {
  store: Pick<Store, 'computers' | 'rooms' | 'repositories'>
  boot: Boot
  /** A repository without an address of its own is on this server. */
  repository: Pick<RepositoryService, 'address'>
}

/** What is about to be stored, in place of the stored record of the same id. */
interface ChangedRecord {
  room?: Room
  repository?: Repository
}

/** What says which files a computer has. */
export type FileIdentity = Pick<Computer, 'mac' | 'boot'>

/** The reason that a change of the store was not done. */
export const reasonOf = (what: string, outcome: string) => (outcome === 'updated' ? undefined : `${what}: ${outcome}`)

export class ComputerFiles {
  readonly #deps: ComputerFilesDeps
  /** Lock for read-modify-write with the methods below. Not re-entrant: do not call `BootService.setMode` inside. */
  readonly exclusive = createMutex()

  constructor(deps: ComputerFilesDeps) {
    this.#deps = deps
  }

  /** Whether a mode has a usable template. */
  isUsable(mode: string): Promise<boolean> {
    return this.#deps.boot.isUsable(mode)
  }

  /** The values for the templates. */
  async subjectsOf(computers: readonly New<Computer>[], changed: ChangedRecord = {}): Promise<BootSubject[]> {
    const { store, repository } = this.#deps
    const addresses = new Map((await store.repositories.list()).map(({ id, ip }) => [id, ip || repository.address]))
    const rooms = new Map((await store.rooms.list()).map(room => [room.id, room]))
    if (changed.room) rooms.set(changed.room.id, changed.room)
    if (changed.repository) addresses.set(changed.repository.id, changed.repository.ip || repository.address)
    const subjects: BootSubject[] = []
    await forEachTimeSliced(computers, tickMilliseconds, computer => {
      const room = rooms.get(computer.room)
      // The records have no description of a hardware profile.
      if (room) subjects.push({ computer, room, repository: addresses.get(computer.repo_id) ?? '', hardprofile: '' })
    })
    return subjects
  }

  /**
   * Calls `save`, which stores these computers, and writes the boot files of those whose mode has a usable template:
   * both or neither.
   */
  async saveWithFiles(
    computers: readonly New<Computer>[],
    save: Save,
    changed?: ChangedRecord,
  ): Promise<Refusal | undefined> {
    const subjects = await this.#withUsableMode(await this.subjectsOf(computers, changed))
    const reason = subjects.length === 0 ? await save() : await this.#deps.boot.render(subjects, save)
    return reason === undefined ? undefined : refuse(reason)
  }

  /** Adds records, and the files that belong to them: all of them, or none. */
  add(records: New<Computer>[]): Promise<Refusal | undefined> {
    return this.saveWithFiles(records, async () => {
      const [conflict] = await this.#deps.store.computers.add(records)
      return conflict && `${records[conflict.index]?.ip}: ${conflict.reason}`
    })
  }

  /** Gives stored computers other values, and the files that belong to them: both or neither. */
  async change(
    what: string,
    computers: readonly Computer[],
    change: ComputerValues,
    update: Store['computers']['update'] = this.#deps.store.computers.update,
  ): Promise<Refusal | undefined> {
    const { place: _, ...values } = change
    const changes = computers.map(before => ({ before, after: { ...before, ...values } }))
    const refusal = await this.saveWithFiles(
      changes.map(({ after }) => after),
      async () => {
        const ips = computers.map(({ ip }) => ip)
        return reasonOf(what, await update(ips, change))
      },
    )
    if (!refusal) await this.removeFormer(changes)
    return refusal
  }

  /** Removes the files of hardware addresses. An address that another record has gets the files of that record. */
  async remove(computers: readonly Pick<Computer, 'mac'>[]): Promise<void> {
    const { store, boot } = this.#deps
    const macs = new Set(computers.map(({ mac }) => mac.toLowerCase()))
    if (macs.size === 0) return
    const holders = (await store.computers.list()).filter(({ mac }) => macs.has(mac.toLowerCase()))
    const subjects = await this.#withUsableMode(await this.subjectsOf(holders))
    for (const { computer } of subjects) macs.delete(computer.mac.toLowerCase())
    if (subjects.length > 0) await boot.render(subjects)
    await boot.remove(Array.from(macs, mac => ({ mac })))
  }

  /** Removes the files that are not those of the computers any more, which are gone without `after`. */
  async removeFormer(changes: readonly { before: FileIdentity; after?: FileIdentity }[]): Promise<void> {
    const newModes = changes.flatMap(({ before, after }) => (after && after.boot !== before.boot ? [after.boot] : []))
    const modes = await this.#usableModes(newModes)
    const former = changes.filter(({ before, after }) => {
      if (before.mac.toLowerCase() !== after?.mac.toLowerCase()) return true
      return before.boot !== after.boot && !modes.has(after.boot)
    })
    await this.remove(former.map(({ before }) => before))
  }

  async #withUsableMode(subjects: BootSubject[]): Promise<BootSubject[]> {
    const modes = await this.#usableModes(subjects.map(({ computer }) => computer.boot))
    return subjects.filter(({ computer }) => modes.has(computer.boot))
  }

  async #usableModes(names: Iterable<string>): Promise<Set<string>> {
    const modes = new Set(names)
    for (const mode of modes) if (!(await this.#deps.boot.isUsable(mode))) modes.delete(mode)
    return modes
  }
}
