// What computers have in the partition that a restore overwrites, and why one is not done where another system stands.
import type { Content, ImageTarget, Obstacles, PartitionContents, Services } from '../../contract/services.ts'

/** A reason names so many systems. */
const namedSystems = 5

type Target = Omit<ImageTarget, 'clients'>
type Group = Content & { computers: number }

export async function contentsOf(
  { clients, disk, partition, name }: ImageTarget,
  { store, images }: Pick<Services, 'store' | 'images'>,
): Promise<PartitionContents> {
  const image = await images.find(name)
  const system = image ? await store.images.system(image.id) : ''
  const rows = await store.inventory.contents(clients, Number(disk), Number(partition))
  const entries = rows.map((row): [string, Content] => {
    const isSame = row.image === image?.id || kindOf(row.system) === kindOf(system)
    const { ip, filesystem } = row
    return [ip, { system: row.system, filesystem, another_system: row.system !== '' && !isSame }]
  })
  return { system, byClient: new Map(entries) }
}

/** Its first word and first number: a Windows 10 Pro of 64 bits is a Windows 10, and a Windows 11 is another system. */
const kindOf = (system: string): string =>
  `${/\p{L}+/u.exec(system)?.[0] ?? ''} ${/\d+/.exec(system)?.[0] ?? ''}`.toLowerCase()

/** The contents of the computers that have another system there, by address. */
export const replaced = ({ byClient }: PartitionContents) =>
  [...byClient].filter(([, { another_system }]) => another_system)

/** Computers with the same content, those with another system first, then the most. */
export function groupContents(contents: Iterable<Content>): Group[] {
  const groups = new Map<string, Group>()
  for (const each of contents) {
    const key = JSON.stringify(each)
    const group = groups.get(key) ?? { ...each, computers: 0 }
    group.computers += 1
    groups.set(key, group)
  }
  return [...groups.values()].sort(
    (a, b) => Number(b.another_system) - Number(a.another_system) || b.computers - a.computers,
  )
}

/** Why a restore is not planned at all: some computer has another system, however many others have none. */
export function whyNotPlanned({ disk, partition, name }: Target, contents: PartitionContents): string | undefined {
  const others = replaced(contents).map(([, { system }]) => ({ system, filesystem: '', another_system: true }))
  if (others.length === 0) return undefined
  const groups = groupContents(others).slice(0, namedSystems)
  const systems = groups.map(({ system, computers }) => `${system} on ${computers}`).join(', ')
  const what = `disk ${disk} partition ${partition} has another system on ${others.length} computers (${systems})`
  return `overwrite: ${what}, ${describeImage(name, contents)}: expected true, which replaces it`
}

/** Why each computer is skipped that has another system. */
export function whyNotReplaced({ disk, partition, name }: Target, contents: PartitionContents): Obstacles {
  const why = `${describeImage(name, contents)}: overwrite is not true`
  const reasonOf = ({ system }: Content) => `disk ${disk} partition ${partition} has ${system}, ${why}`
  return new Map(replaced(contents).map(([client, content]) => [client, reasonOf(content)]))
}

const describeImage = (name: string, { system }: PartitionContents) =>
  system === '' ? `the system of image ${name} is not known` : `image ${name} has ${system}`
