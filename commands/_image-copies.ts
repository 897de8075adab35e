// Counts and pages of the partitions that have an image.
import type { ImageCopy } from 'fleet-host'

/** About 90 bytes each: half of the default limit of a response. */
const pageCopies = 1500

export interface CopyPage {
  copies?: object[]
  next?: string
}

const optionalTime = <Key extends string>(key: Key, milliseconds: number) =>
  milliseconds > 0 ? { [key]: new Date(milliseconds).toISOString() } : {}

/** The newest version first; a computer with two partitions of a version counts once. */
export function countVersions(copies: readonly ImageCopy[]): object[] {
  const versions = [...new Set(copies.map(({ version }) => version))].sort((a, b) => b - a)
  return versions.map(version => {
    const ofVersion = copies.filter(copy => copy.version === version)
    const times = ofVersion.flatMap(({ since }) => (since > 0 ? [since] : []))
    const computers = new Set(ofVersion.map(({ ip }) => ip)).size
    if (times.length === 0) return { version, computers }
    const [first, last] = [Math.min(...times), Math.max(...times)]
    return { version, computers, ...optionalTime('first', first), ...optionalTime('last', last) }
  })
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
