// What computers have in the partition that a restore overwrites, and where it is another system than that of the image.
import type { Services } from 'fleet-host'

export interface RestoreTarget {
  clients: readonly string[]
  disk: string
  partition: string
  /** Of the image, or of a version of it. */
  name: string
}

/** Of one computer; names are empty where nothing is installed, or nothing is known. */
export interface Content {
  system: string
  filesystem: string
  /** A restore would replace a system by another one. */
  another_system: boolean
}

export interface Contents {
  /** The system of the image, '' when it is not known. */
  system: string
  /** By address; of computers that are known to have the partition. */
  byClient: Map<string, Content>
}

export async function contentsOf(
  { clients, disk, partition, name }: RestoreTarget,
  { store, imageFiles }: Pick<Services, 'store' | 'imageFiles'>,
): Promise<Contents> {
  const image = await imageFiles.find(name)
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
