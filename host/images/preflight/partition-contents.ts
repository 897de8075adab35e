// What computers have in the partition that a restore overwrites, and where it is another system than that of the image.
import type { Content, ImageTarget, PartitionContents, Services } from '../../contract/services.ts'

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
