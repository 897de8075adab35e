// The boot service of commands: boot modes and live systems of computers.
import type { Computer, New, Store } from '../../stores/store.ts'
import { refuse } from '../contract/refusal.ts'
import type { BootService } from '../contract/services.ts'
import type { Boot } from './boot-files.ts'
import type { ComputerFiles } from './computer-files.ts'
import { readLiveSystems } from './live-systems.ts'

export interface BootServiceDeps {
  store: Pick<Store, 'computers'>
  boot: Boot
  computerFiles: ComputerFiles
  /** Option `boot.oglives`. */
  oglives?: string
}

export function createBootService({ store, boot, computerFiles, oglives }: BootServiceDeps): BootService {
  /** Stores one change for all computers; resolves to the reason when the store refuses it. */
  async function update(
    computers: readonly Pick<Computer, 'ip'>[],
    change: Partial<New<Computer>>,
  ): Promise<string | undefined> {
    const ips = computers.map(({ ip }) => ip)
    const outcome = await store.computers.update(ips, change)
    return outcome === 'updated' ? undefined : outcome
  }

  return {
    modes: boot.modes,
    liveSystems: () => readLiveSystems(oglives),
    setMode: (clients, mode) =>
      computerFiles.exclusive(async () => {
        const reason = await boot.unusable(mode)
        if (reason !== undefined) return refuse(reason)
        const computers = await store.computers.findMany(clients)
        const subjects = await computerFiles.subjectsOf(computers.map(computer => ({ ...computer, boot: mode })))
        return computerFiles.write(subjects, () => update(computers, { boot: mode }))
      }),
    setLiveSystem: (clients, livedir) =>
      computerFiles.exclusive(async () => {
        const computers = await store.computers.findMany(clients)
        return computerFiles.saveWithFiles(
          computers.map(computer => ({ ...computer, livedir })),
          () => update(computers, { livedir }),
        )
      }),
    async preview(client, mode) {
      const [computer] = await store.computers.findMany([client])
      const [subject] = await computerFiles.subjectsOf(computer ? [{ ...computer, boot: mode }] : [])
      if (!subject) return refuse(`clients: there is no computer ${client}`)
      const files = await boot.preview(subject)
      return typeof files === 'string' ? refuse(files) : files
    },
  }
}
