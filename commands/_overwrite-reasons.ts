// Why a restore is not done where another system stands.
import { groupContents, replaced } from './_content-preview.ts'
import type { Contents, RestoreTarget } from './_partition-content.ts'

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
export function whyNotReplaced({ disk, partition, name }: Place, contents: Contents): Map<string, string> {
  const why = `${describeImage(name, contents)}: overwrite is not true`
  return new Map(
    replaced(contents).map(([client, { system }]) => [
      client,
      `disk ${disk} partition ${partition} has ${system}, ${why}`,
    ]),
  )
}
