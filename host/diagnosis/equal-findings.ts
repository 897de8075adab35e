// Which computers have the same name, which means none of them on a command line, or the same hardware address.
import type { Computer, Frozen, Store } from '../../stores/store.ts'
import type { DoctorFinding } from '../contract/services.ts'
import { slices } from '../system/request-slices.ts'
import { warning } from './finding.ts'

/** More are counted. */
const listedValues = 10

const checks = [
  {
    title: 'names',
    keyOf: ({ name }: Computer) => name,
    what: 'several computers have one name',
    advice: 'give all but one of them another name: fleet computer edit <address> --name …',
  },
  {
    title: 'hardware addresses',
    keyOf: ({ mac }: Computer) => mac.toLowerCase(),
    what: 'several computers have one hardware address, and so the same boot files',
    advice: 'give each its own: fleet computer edit <address> --mac …',
  },
] as const

/** Nothing while every name and hardware address, or those of `only`, is that of one computer, or the store is away. */
export async function checkEquals(
  { store }: { store: { computers: Pick<Store['computers'], 'list'> } },
  only?: Frozen<Computer>,
): Promise<DoctorFinding[]> {
  const computers = await store.computers.list().catch(() => [])
  const findings = await Promise.all(checks.map(check => findEquals(computers, check, only)))
  return findings.flat()
}

async function findEquals(
  computers: readonly Computer[],
  { title, keyOf, what, advice }: (typeof checks)[number],
  only: Frozen<Computer> | undefined,
): Promise<DoctorFinding[]> {
  const addresses = new Map<string, string[]>()
  await slices.forEach(computers, computer => {
    const value = keyOf(computer)
    addresses.set(value, [...(addresses.get(value) ?? []), computer.ip])
  })
  const several = [...addresses].filter(([value, ips]) => {
    return value !== '' && ips.length > 1 && (!only || value === keyOf(only))
  })
  if (several.length === 0) return []
  const named = several.slice(0, listedValues).map(([value, [first, second, ...others]]) => {
    const more = others.length === 0 ? '' : ` and ${others.length} more`
    return `${value} (${first}, ${second}${more})`
  })
  const more = several.length > listedValues ? ` and ${several.length - listedValues} more` : ''
  return [warning(title, `${what}: ${named.join(', ')}${more}`, advice)]
}
