// Boot files in step with the records: what the records say is written, or neither changes.

import type { Computer, New, Room, Store } from '../../stores/store.ts'
import { refuse } from '../refusal.ts'
import type { BootService, Refusal, RepositoryService } from '../services.ts'
import { createMutex, type Mutex } from '../system/mutex.ts'
import type { Boot } from './boot-files.ts'
import { readLiveSystems } from './live-systems.ts'
import type { BootSubject } from './template.ts'

export interface BootServiceDeps {
  store: Store
  boot: Boot
  repository: RepositoryService
  /** Option `boot.oglives`. */
  oglives?: string
}

export interface BootFilesService extends BootService {
  /**
   * Runs `change`, which stores these computers as they are given, and writes the boot files of those whose mode has a
   * template. `room` stands in for the stored one. With a refusal of `change` nothing is written.
   */
  updateWith(computers: New<Computer>[], change: Change, room?: Room): Promise<Refusal | undefined>
  /** Removes the files of hardware addresses, but writes those of records that have such an address again. */
  remove(computers: Pick<Computer, 'mac'>[]): Promise<void>
  /**
   * For work that reads records and then calls the two above: nobody changes in between what the files are made from.
   * It must not set modes.
   */
  exclusive: Mutex
  /** Whether a mode has a usable template. */
  isUsable(mode: string): Promise<boolean>
}

/** Resolves to why not, or to nothing when it is stored. */
export type Change = () => Promise<string | undefined>

export function createBootService({ store, boot, repository, oglives }: BootServiceDeps): BootFilesService {
  /** What the files tell of computers; a profile of hardware has no description here. */
  async function subjectsOf(computers: New<Computer>[], changed?: Room): Promise<BootSubject[]> {
    const addresses = new Map((await store.repositories.list()).map(({ id, ip }) => [id, ip || repository.address]))
    const rooms = new Map<number, Room | undefined>(changed && [[changed.id, changed]])
    const subjects: BootSubject[] = []
    for (const computer of computers) {
      if (!rooms.has(computer.room)) rooms.set(computer.room, await store.rooms.find(computer.room))
      const room = rooms.get(computer.room)
      if (room) subjects.push({ computer, room, repository: addresses.get(computer.repo_id) ?? '', hardprofile: '' })
    }
    return subjects
  }

  async function known(clients: string[]): Promise<Computer[]> {
    const found = await Promise.all(clients.map(ip => store.computers.find(ip)))
    return found.filter(computer => computer !== undefined)
  }

  async function write(subjects: BootSubject[], change: Change): Promise<Refusal | undefined> {
    const reason = subjects.length === 0 ? await change() : await boot.render(subjects, change)
    return reason === undefined ? undefined : refuse(reason)
  }

  /** Without those whose mode names no usable template: these have no files to keep in step. */
  async function usable(subjects: BootSubject[]): Promise<BootSubject[]> {
    const modes = new Set(subjects.map(({ computer }) => computer.boot))
    for (const mode of modes) if (!(await boot.isUsable(mode))) modes.delete(mode)
    return subjects.filter(({ computer }) => modes.has(computer.boot))
  }

  const update = (computers: Computer[], change: Partial<New<Computer>>) => async () => {
    const ips = computers.map(({ ip }) => ip)
    const outcome = await store.computers.update(ips, change)
    return outcome === 'updated' ? undefined : outcome
  }

  const files: BootFilesService = {
    exclusive: createMutex(),
    modes: boot.modes,
    isUsable: boot.isUsable,
    liveSystems: () => readLiveSystems(oglives),
    async updateWith(computers, change, room) {
      return write(await usable(await subjectsOf(computers, room)), change)
    },
    async remove(computers) {
      const macs = new Set(computers.map(({ mac }) => mac.toLowerCase()))
      const holders = (await store.computers.list()).filter(({ mac }) => macs.has(mac.toLowerCase()))
      const subjects = await usable(await subjectsOf(holders))
      for (const { computer } of subjects) macs.delete(computer.mac.toLowerCase())
      if (subjects.length > 0) await boot.render(subjects)
      await boot.remove(Array.from(macs, mac => ({ mac })))
    },
    setMode: (clients, mode) =>
      files.exclusive(async () => {
        const unusable = await boot.unusable(mode)
        if (unusable !== undefined) return refuse(unusable)
        const computers = await known(clients)
        const subjects = await subjectsOf(computers.map(computer => ({ ...computer, boot: mode })))
        return write(subjects, update(computers, { boot: mode }))
      }),
    setLiveSystem: (clients, livedir) =>
      files.exclusive(async () => {
        const computers = await known(clients)
        return files.updateWith(
          computers.map(computer => ({ ...computer, livedir })),
          update(computers, { livedir }),
        )
      }),
    async preview(client, mode) {
      const [computer] = await known([client])
      const [subject] = await subjectsOf(computer ? [{ ...computer, boot: mode }] : [])
      if (!subject) return refuse(`clients: there is no computer ${client}`)
      const found = await boot.preview(subject)
      return typeof found === 'string' ? refuse(found) : found
    },
  }
  return files
}
