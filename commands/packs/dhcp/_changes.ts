// Compares what a server has with what it should have.
import type { Recorded } from './_records.ts'
import type { Compared, Conflict, Reservation, ServerState } from './_server-state.ts'

const keys = ['ip', 'mac', 'name', 'tag', 'scope'] as const

/** Servers may write names in other letters than they got. */
const plain = (value: string | number) => String(value).toLowerCase()

const macKey = ({ scope, mac }: Reservation) => `${scope} ${mac}`

/** Where entries of others are in the way, theirs stay. */
export function compare(recorded: Recorded, { marked, others, adapt }: ServerState): Compared {
  const conflicts: Conflict[] = [...recorded.conflicts]
  const desired: Reservation[] = []
  const foreignByIp = new Map(others.map(other => [other.ip, other]))
  const foreignByMac = new Map(others.map(other => [macKey(other), other]))
  for (const each of recorded.reservations) {
    const { ip, mac } = each
    const reservation = adapt(each)
    const sameIp = foreignByIp.get(ip)
    const sameMac = reservation && foreignByMac.get(macKey(reservation))
    if (!reservation) conflicts.push({ ip, mac, reason: 'the server has no subnet with this address' })
    else if (sameIp && sameIp.mac !== mac)
      conflicts.push({ ip, mac, reason: `an entry of others keeps the address for ${sameIp.mac || sameIp.name}` })
    else if (sameMac && sameMac.ip !== ip)
      conflicts.push({ ip, mac, reason: `an entry of others has ${sameMac.ip || 'no address'} for the computer` })
    // The same by hand is as good.
    else if (!sameIp) desired.push(reservation)
  }
  const macs = new Set(recorded.reservations.map(({ mac }) => mac))
  const unknown = others.filter(({ mac }) => mac !== '' && !macs.has(mac))
  return { ...findChanges(desired, marked), conflicts, unknown, desired }
}

/** What the entry had before. */
export const describeChange = (from: Reservation, to: Reservation) =>
  keys
    .filter(key => from[key] !== to[key])
    .map(key => (key === 'scope' ? `subnet ${from.scope}` : from[key] || `no ${key}`))
    .join(', ')

function findChanges(desired: readonly Reservation[], marked: readonly Reservation[]) {
  const left = new Set(marked)
  const byMac = new Map(marked.map(entry => [macKey(entry), entry]))
  const byIp = new Map(marked.map(entry => [entry.ip, entry]))
  const added: Reservation[] = []
  const changed: Compared['changed'] = []
  const match = (to: Reservation, from: Reservation) => {
    left.delete(from)
    if (keys.some(key => plain(from[key]) !== plain(to[key]))) changed.push({ from, to })
  }
  const unmatched: Reservation[] = []
  for (const to of desired) {
    const from = byMac.get(macKey(to))
    if (from && left.has(from)) match(to, from)
    else unmatched.push(to)
  }
  for (const to of unmatched) {
    const from = byIp.get(to.ip)
    if (from && left.has(from)) match(to, from)
    else added.push(to)
  }
  return { added, changed, removed: [...left] }
}
