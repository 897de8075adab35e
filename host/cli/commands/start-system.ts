// `fleet start`: starts an installed system by its name, on the disk and partition where each computer has it.
import type { InstalledSystem } from '../../contract/answers.ts'
import { placeOf, readSystems, systemsNamed } from '../api/installed-systems.ts'
import { inParallel } from '../api/job-reader.ts'
import { listNames } from '../api/near-name.ts'
import { usageError } from '../cli-error.ts'
import { actOptions, printPreview, queueOptions, reportJobs, selectComputers, sendCommand } from './act-on-computers.ts'
import { subcommand } from './subcommand.ts'

const number = (text: string) => `the number of the ${text}, where a computer has the system several times`

export const start = subcommand({
  command: 'start <system...>',
  argument: 'a part of the name of the system, then names or addresses of computers',
  usage: '[options] <system> [computer...]',
  description: 'start an installed system by its name: fleet start "Windows 11" --room "Room 1"',
  options: {
    ...actOptions,
    ...queueOptions,
    '--wake': 'wake computers that are off; implies --queue',
    '--disk <number>': number('disk'),
    '--partition <number>': number('partition'),
  },
  async run(context, { disk, partition, ...flags }, [name = '', ...words]) {
    const api = context.connect()
    const clients = await selectComputers(context, 'start', words, flags)
    const without = new Map<string, string>()
    const places = new Map<string, string[]>()
    const installed = new Map<string, InstalledSystem[]>()
    await inParallel(clients, async client => void installed.set(client, await readSystems(api, client)))
    for (const client of clients) {
      const systems = installed.get(client) ?? []
      const isThere = (system: InstalledSystem) =>
        (disk === undefined || system.disk === Number(disk)) &&
        (partition === undefined || system.partition === Number(partition))
      const [found, ...others] = systemsNamed(name, systems.filter(isThere))
      if (!found) without.set(client, `without ${name}`)
      else if (others.length > 0) without.set(client, `with several: ${[found, ...others].map(placeOf).join(' or ')}`)
      else places.set(keyOf(found), [...(places.get(keyOf(found)) ?? []), client])
    }
    if (places.size === 0 && [...without.values()].every(reason => reason.startsWith('without')))
      throw usageError(`start: expected ${known(installed)}, got ${name}`)
    const payloads = [...places].map(([key, members]) => {
      const [disk = '', partition = ''] = key.split(' ')
      return { clients: members, disk, partition }
    })
    if (flags.dryRun) return printPreview(context, 'POST /session', payloads, { flags, without })
    const jobs: number[] = []
    for (const payload of payloads) jobs.push(await sendCommand(context, 'POST /session', payload, flags))
    await reportJobs(context, flags, { jobs, done: 'started', without })
  },
})

const keyOf = ({ disk, partition }: InstalledSystem) => `${disk} ${partition}`

function known(installed: ReadonlyMap<string, InstalledSystem[]>): string {
  const names = new Set([...installed.values()].flatMap(systems => systems.map(({ name }) => name)))
  return names.size === 0 ? 'computers that have reported their disks' : `one of ${listNames([...names].sort())}`
}
