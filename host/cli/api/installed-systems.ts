// Finds partitions of a computer by the systems that are installed there.
import type { InstalledSystem, PartitionAnswer } from '../../contract/answers.ts'
import { usageError } from '../cli-error.ts'
import type { ApiClient } from './client.ts'
import { readComputers } from './records.ts'

export async function readSystems({ call }: ApiClient, client: string): Promise<InstalledSystem[]> {
  return (await call(`GET /session?client=${client}`)).body.sessions
}

/** Those of the name; else those that have it as a part. */
export function systemsNamed<System extends Pick<InstalledSystem, 'name'>>(text: string, systems: System[]): System[] {
  const searched = text.toLowerCase()
  const same = systems.filter(({ name }) => name.toLowerCase() === searched)
  return same.length > 0 ? same : systems.filter(({ name }) => name.toLowerCase().includes(searched))
}

/** As it is typed to choose it. */
export const placeOf = ({ name, disk, partition }: InstalledSystem) =>
  `${name} on --disk ${disk} --partition ${partition}`

type Partition = PartitionAnswer & { name: string }

/** By its number or its system; without either the only one with a system. Its `name` is that of the system, or ''. */
export async function findPartition(
  api: ApiClient,
  client: string,
  { disk, partition: text }: { disk?: string | undefined; partition?: string | undefined },
): Promise<Partition> {
  const [{ body }, systems] = await Promise.all([
    api.call(`GET /client/setup?client=${client}`),
    readSystems(api, client),
  ])
  const partitions = body.partitions
    .filter(row => row.partition > 0 && (disk === undefined || row.disk === Number(disk)))
    .map(row => ({ ...row, name: systems.find(system => keyOf(system) === keyOf(row))?.name ?? '' }))
  const [found, ...others] = chosen(partitions, text)
  if (found && others.length === 0) return found
  if (partitions.length === 0) {
    const name = (await readComputers(api)).get(client)?.name ?? client
    throw usageError(
      `${name} has not reported ${disk ? `disk ${disk}` : 'its disks'}, as computers do in the live system`,
    )
  }
  const known = (found ? [found, ...others] : partitions).map(row => placeOf({ ...row, name: row.name || 'no system' }))
  throw usageError(`--partition: expected one of ${known.join(', ')}, got ${text ?? 'none'}`)
}

function chosen(partitions: Partition[], text: string | undefined): Partition[] {
  if (text !== undefined && /^\d+$/.test(text)) return partitions.filter(({ partition }) => partition === Number(text))
  const withSystem = partitions.filter(({ name }) => name !== '')
  return text === undefined ? withSystem : systemsNamed(text, withSystem)
}

const keyOf = ({ disk, partition }: { disk: number; partition: number }) => `${disk} ${partition}`
