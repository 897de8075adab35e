// Why a restore is not done where another system stands.
import type { Services } from 'fleet-host'
import { groupContents, replaced } from './_content-preview.ts'
import { type Contents, contentsOf, type RestoreTarget } from './_partition-content.ts'
import { allWith, type Obstacles } from './_preflight.ts'

/** A reason names so many systems. */
const namedSystems = 5

const describeImage = (name: string, { system }: Contents) =>
  system === '' ? `the system of image ${name} is not known` : `image ${name} has ${system}`

type Place = Omit<RestoreTarget, 'clients'>

/** Why a restore is not planned at all: some computer has another system, however many others have none. */
export function whyNotPlanned({ disk, partition, name }: Place, contents: Contents): string | undefined {
  const others = replaced(contents).map(([, { system }]) => ({ system, filesystem: '', another_system: true }))
  if (others.length === 0) return undefined
  const groups = groupContents(others).slice(0, namedSystems)
  const found = groups.map(({ system, computers }) => `${system} on ${computers}`).join(', ')
  const what = `disk ${disk} partition ${partition} has another system on ${others.length} computers (${found})`
  return `overwrite: ${what}, ${describeImage(name, contents)}: expected true, which replaces it`
}

/** Why each computer is skipped that has another system, by address. */
function whyNotReplaced({ disk, partition, name }: Place, contents: Contents): Map<string, string> {
  const why = `${describeImage(name, contents)}: overwrite is not true`
  return new Map(
    replaced(contents).map(([client, { system }]) => [
      client,
      `disk ${disk} partition ${partition} has ${system}, ${why}`,
    ]),
  )
}

/** Where it cannot be read what would be replaced, nothing is: a fault that is not seen costs a try only, this a system. */
export async function findKept(target: RestoreTarget, services: Services): Promise<Obstacles> {
  try {
    return whyNotReplaced(target, await contentsOf(target, services))
  } catch (error) {
    services.log.error('content of partitions not read', error)
    return allWith(target.clients, 'overwrite is not true, and what is there now cannot be read')
  }
}
