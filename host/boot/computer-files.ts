// Keeps the boot files of computers in step with their records.
import type { Computer, New, Repository, Room, Store } from '../../stores/store.ts'
import { refuse } from '../contract/refusal.ts'
import type { Refusal, RepositoryService } from '../contract/services.ts'
import { createMutex, type Mutex } from '../system/mutex.ts'
import { createPause } from '../system/time-slices.ts'
import type { Boot } from './boot-files.ts'
import { type Save, tickMilliseconds } from './replace-files.ts'
import type { BootSubject } from './template.ts'

export interface ComputerFilesDeps {
  store: Store
  boot: Boot
  /** A repository without an address of its own is on this server. */
  repository: Pick<RepositoryService, 'address'>
}

/** What is about to be stored, in place of the stored record of the same id. */
export interface ChangedRecord {
  room?: Room
  repository?: Repository
}

export interface ComputerFiles {
  /** Lock for read-modify-write with the methods below. Not re-entrant: do not call `BootService.setMode` inside. */
  exclusive: Mutex
  /** Whether a mode has a usable template. */
  isUsable(mode: string): Promise<boolean>
  /** The values for the templates. */
  subjectsOf(computers: New<Computer>[], changed?: ChangedRecord): Promise<BootSubject[]>
  /** Writes the boot files of all subjects and calls `save`: both or neither. */
  write(subjects: BootSubject[], save: Save): Promise<Refusal | undefined>
  /**
   * Calls `save`, which stores these computers, and writes the boot files of those whose mode has a usable template:
   * both or neither.
   */
  saveWithFiles(computers: New<Computer>[], save: Save, changed?: ChangedRecord): Promise<Refusal | undefined>
  /** Removes the files of hardware addresses. An address that another record has gets the files of that record. */
  remove(computers: Pick<Computer, 'mac'>[]): Promise<void>
}

export function createComputerFiles({ store, boot, repository }: ComputerFilesDeps): ComputerFiles {
  async function subjectsOf(computers: New<Computer>[], changed: ChangedRecord = {}): Promise<BootSubject[]> {
    const addresses = new Map((await store.repositories.list()).map(({ id, ip }) => [id, ip || repository.address]))
    const rooms = new Map((await store.rooms.list()).map(room => [room.id, room]))
    if (changed.room) rooms.set(changed.room.id, changed.room)
    if (changed.repository) addresses.set(changed.repository.id, changed.repository.ip || repository.address)
    const subjects: BootSubject[] = []
    const pause = createPause(tickMilliseconds)
    for (const computer of computers) {
      await pause()
      const room = rooms.get(computer.room)
      // The records have no description of a hardware profile.
      if (room) subjects.push({ computer, room, repository: addresses.get(computer.repo_id) ?? '', hardprofile: '' })
    }
    return subjects
  }

  async function withUsableMode(subjects: BootSubject[]): Promise<BootSubject[]> {
    const modes = new Set(subjects.map(({ computer }) => computer.boot))
    for (const mode of modes) if (!(await boot.isUsable(mode))) modes.delete(mode)
    return subjects.filter(({ computer }) => modes.has(computer.boot))
  }

  async function write(subjects: BootSubject[], save: Save): Promise<Refusal | undefined> {
    const reason = subjects.length === 0 ? await save() : await boot.render(subjects, save)
    return reason === undefined ? undefined : refuse(reason)
  }

  return {
    exclusive: createMutex(),
    isUsable: boot.isUsable,
    subjectsOf,
    write,
    async saveWithFiles(computers, save, changed) {
      return write(await withUsableMode(await subjectsOf(computers, changed)), save)
    },
    async remove(computers) {
      const macs = new Set(computers.map(({ mac }) => mac.toLowerCase()))
      const holders = (await store.computers.list()).filter(({ mac }) => macs.has(mac.toLowerCase()))
      const subjects = await withUsableMode(await subjectsOf(holders))
      for (const { computer } of subjects) macs.delete(computer.mac.toLowerCase())
      if (subjects.length > 0) await boot.render(subjects)
      await boot.remove(Array.from(macs, mac => ({ mac })))
    },
  }
}
