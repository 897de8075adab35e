// The reservations that the records of the computers ask for.
import type { Refusal } from 'fleet-host'
import { tagFinder } from './_boot-options.ts'
import type { Context } from './_dhcp-schemas.ts'
import type { Conflict, Reservation } from './_server-state.ts'

export interface Recorded {
  reservations: Reservation[]
  /** Records that ask for none, or for what another one has. */
  conflicts: Conflict[]
}

/** Of all computers that the settings name, in the order of their ids. A refusal: the query names what is gone. */
export async function readRecorded(context: Context): Promise<Recorded | Refusal> {
  const { services, settings } = context
  const rights = services.access.rightsOf('pack:dhcp')
  if (!rights) return services.refuse('the pack is not in service')
  const found = await services.search.find(settings.where, rights)
  if (services.isRefusal(found)) return services.refuse(`settings: ${found.refused}`)
  const isCovered = new Set(found.map(({ ip }) => ip))
  const findTag = tagFinder(settings)
  const byMac = new Map<string, Reservation[]>()
  const conflicts: Conflict[] = []
  const computers = await services.store.computers.list()
  await services.slices.forEach(computers, ({ ip, mac: written, name, room }) => {
    if (!isCovered.has(ip)) return
    const mac = readMac(written ?? '')
    if (!isAddress(ip)) conflicts.push({ ip, mac, reason: 'the record has no IPv4 address' })
    else if (mac === '') conflicts.push({ ip, mac, reason: 'the record has no hardware address' })
    else {
      const reservation = { mac, ip, name: isHostName(name) ? name : '', tag: findTag(room), scope: 0 }
      const others = byMac.get(mac)
      if (others) others.push(reservation)
      else byMac.set(mac, [reservation])
    }
  })
  const reservations: Reservation[] = []
  for (const [mac, same] of byMac) {
    const [first, second] = same
    if (first && !second) reservations.push(first)
    else
      for (const { ip } of same)
        conflicts.push({ ip, mac, reason: `${otherThan(ip, same)} has the same hardware address` })
  }
  return { reservations, conflicts }
}

const otherThan = (ip: string, same: readonly Reservation[]) => same.find(each => each.ip !== ip)?.ip ?? ip

/** 12 hex digits with or without signs between them; '' for anything else. */
export function readMac(text: string): string {
  const digits = text.toLowerCase().replace(/[:-]/g, '')
  return /^[0-9a-f]{12}$/.test(digits) ? (digits.match(/../g) ?? []).join(':') : ''
}

export const isAddress = (text: string) => /^\d{1,3}(\.\d{1,3}){3}$/.test(text)

/** dnsmasq takes a number, with a unit or not, and some words for something else than a name. */
const isHostName = (name: string) =>
  name.length <= 253 &&
  name.split('.').every(label => /^[a-z0-9][a-z0-9-]{0,62}$/i.test(label) && !label.endsWith('-')) &&
  !/^(\d+[smhdw]?|infinite|ignore)$/i.test(name)
