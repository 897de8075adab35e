// Which computers have the same name: on a command line it means none of them.
import type { Store } from '../../stores/store.ts'
import type { DoctorFinding } from '../contract/services.ts'
import { slices } from '../system/request-slices.ts'
import { warning } from './finding.ts'

/** More are counted. */
const listedNames = 10

const advice = 'give all but one of them another name: fleet computer edit <address> --name …'

/** Nothing while every name is that of one computer, or the store is away. */
export async function checkNames({
  store,
}: {
  store: { computers: Pick<Store['computers'], 'list'> }
}): Promise<DoctorFinding[]> {
  const addresses = new Map<string, string[]>()
  await slices.forEach(await store.computers.list().catch(() => []), ({ name, ip }) => {
    addresses.set(name, [...(addresses.get(name) ?? []), ip])
  })
  const several = [...addresses].filter(([, ips]) => ips.length > 1)
  if (several.length === 0) return []
  const named = several.slice(0, listedNames).map(([name, [first, second, ...others]]) => {
    const more = others.length === 0 ? '' : ` and ${others.length} more`
    return `${name} (${first}, ${second}${more})`
  })
  const more = several.length > listedNames ? ` and ${several.length - listedNames} more` : ''
  return [warning('names', `several computers have one name: ${named.join(', ')}${more}`, advice)]
}
