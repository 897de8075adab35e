// Counts and pages of the partitions that have an image.
import type { ImageCopy, Store } from '../../stores/store.ts'
import { refuse } from '../contract/refusal.ts'
import type { ImagesService, Rights } from '../contract/services.ts'
import { slices } from '../system/request-slices.ts'

/** About 90 bytes each: half of the default limit of a response. */
const pageCopies = 1500

export interface CopyPage {
  copies?: object[]
  next?: string
}

const optionalTime = <Key extends string>(key: Key, milliseconds: number) =>
  milliseconds > 0 ? { [key]: new Date(milliseconds).toISOString() } : {}

export const createStats =
  ({ images }: Pick<Store, 'images'>): ImagesService['stats'] =>
  async (rights: Rights, imageId?: number, after?: string) => {
    const copies = (await images.copies(imageId)).filter(({ ip }) => rights.hasClient(ip))
    const { next, ...page }: CopyPage = imageId === undefined ? {} : listCopies(copies, after)
    const records = (await images.list()).filter(({ id }) => imageId === undefined || id === imageId)
    if (records.length === 0 && imageId !== undefined) return refuse(`image: there is no image ${imageId}`)
    const copiesOf = new Map<number, ImageCopy[]>()
    await slices.forEach(copies, copy => {
      if (!copiesOf.get(copy.image)?.push(copy)) copiesOf.set(copy.image, [copy])
    })
    const entries = records.map(({ id, name, version = 0 }) => {
      return { id, name, version, versions: countVersions(copiesOf.get(id) ?? []), ...page }
    })
    return { images: entries, ...(next !== undefined && { next }) }
  }

/** The newest version first; a computer with two partitions of a version counts once. */
export function countVersions(copies: readonly ImageCopy[]): object[] {
  const counts = new Map<number, { ips: Set<string>; first: number; last: number }>()
  for (const { version, since, ip } of copies) {
    const count = counts.get(version) ?? { ips: new Set(), first: 0, last: 0 }
    counts.set(version, count)
    count.ips.add(ip)
    count.last = Math.max(count.last, since)
    if (since > 0 && (count.first === 0 || since < count.first)) count.first = since
  }
  const entries = [...counts].map(([version, { ips, first, last }]) => {
    return { version, computers: ips.size, ...optionalTime('first', first), ...optionalTime('last', last) }
  })
  return entries.sort((one, other) => other.version - one.version)
}

const numberOf = (address: string) => address.split('.').reduce((number, byte) => number * 256 + Number(byte), 0)

/** In the order of the addresses, from the first one after `after` on; all partitions of a computer are on one page. */
export function listCopies(copies: readonly ImageCopy[], after = ''): CopyPage {
  const sorted = copies
    .map(copy => ({ ...copy, number: numberOf(copy.ip) }))
    .filter(({ number }) => after === '' || number > numberOf(after))
    .sort((a, b) => a.number - b.number || a.disk - b.disk || a.partition - b.partition)
  const beyond = sorted[pageCopies]
  const page = beyond ? sorted.slice(0, pageCopies).filter(({ number }) => number < beyond.number) : sorted
  const last = page.at(-1)
  const entries = page.map(({ ip, disk, partition, version, since }) => {
    return { client: ip, disk, partition, version, ...optionalTime('since', since) }
  })
  return { copies: entries, ...(beyond && last && { next: last.ip }) }
}
