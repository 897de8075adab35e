// A server of Kea: reservations in its hosts database where it has host commands, else in its configuration.
import type { Settings } from './_dhcp-schemas.ts'
import {
  classesOf,
  fromKea,
  hasClasses,
  isMarked,
  type KeaConfig,
  type KeaReservation,
  replaceMarked,
  subnetFinder,
  subnetsOf,
  toKea,
} from './_kea-config.ts'
import { connectKea, type KeaConnection } from './_kea-connection.ts'
import type { Compared, DhcpServer, Reservation, ServerState } from './_server-state.ts'

interface KeaHost {
  entry: KeaReservation
  scope: number
}

export const keaServer = (url: string, settings: Settings): DhcpServer => ({
  name: `Kea ${url}`,
  read: signal => readKea(connectKea(url, settings.kea, signal), settings),
})

async function readKea(kea: KeaConnection, settings: Settings): Promise<ServerState> {
  // `as`: so Kea describes its replies.
  const commands = ((await kea.send('list-commands')) ?? []) as string[]
  // `as`: the same.
  const { Dhcp4: config, hash } = (await kea.send('config-get')) as { Dhcp4: KeaConfig; hash?: string }
  const subnets = subnetsOf(config)
  const hasDatabase = (config['hosts-databases'] ?? []).length > 0 || config['hosts-database'] !== undefined
  const usesDatabase = hasDatabase && commands.includes('reservation-add')
  const configured: KeaHost[] = [
    ...(config.reservations ?? []).map(entry => ({ entry, scope: 0 })),
    ...subnets.flatMap(({ id, reservations = [] }) => reservations.map(entry => ({ entry, scope: id }))),
  ]
  const stored = usesDatabase ? without(await readHosts(kea, subnets), configured) : []
  const classes = classesOf(settings)
  const findSubnet = subnetFinder(subnets)
  const hasMarkedInConfig = configured.some(({ entry }) => isMarked(entry))
  const isConfigStale = !hasClasses(config, classes) || (usesDatabase && hasMarkedInConfig)
  const shown = (hosts: readonly KeaHost[]) => hosts.map(({ entry, scope }) => fromKea(entry, scope))
  const ofOthers = [...configured, ...stored].filter(({ entry }) => !isMarked(entry))
  return {
    marked: shown((usesDatabase ? stored : configured).filter(({ entry }) => isMarked(entry))),
    others: shown(ofOthers),
    isStale: isConfigStale,
    adapt(reservation) {
      const scope = findSubnet(reservation.ip)
      return scope === undefined ? undefined : { ...reservation, scope }
    },
    async write(changes, again) {
      if (isConfigStale || !usesDatabase || again) {
        replaceMarked(config, usesDatabase ? [] : changes.desired, classes)
        await setConfig(kea, config, commands.includes('config-hash-get') ? hash : undefined)
      }
      if (usesDatabase) await changeHosts(kea, changes)
    },
  }
}

async function readHosts(kea: KeaConnection, subnets: readonly { id: number }[]): Promise<KeaHost[]> {
  const found: KeaHost[] = []
  for (const { id } of subnets) {
    // `as`: so Kea describes its reply; undefined: the subnet has none.
    const reply = (await kea.send('reservation-get-all', { 'subnet-id': id })) as
      | { hosts?: KeaReservation[] }
      | undefined
    found.push(...(reply?.hosts ?? []).map(entry => ({ entry, scope: id })))
  }
  return found
}

/** Kea lists those of its configuration, too. */
function without(hosts: readonly KeaHost[], configured: readonly KeaHost[]): KeaHost[] {
  const keyOf = ({ entry, scope }: KeaHost) => JSON.stringify({ ...fromKea(entry, scope), isMarked: isMarked(entry) })
  const counts = new Map<string, number>()
  for (const host of configured) counts.set(keyOf(host), (counts.get(keyOf(host)) ?? 0) + 1)
  return hosts.filter(host => {
    const count = counts.get(keyOf(host)) ?? 0
    if (count > 0) counts.set(keyOf(host), count - 1)
    return count === 0
  })
}

/** `hash`: that of the configuration that was read, where Kea knows hashes. */
async function setConfig(kea: KeaConnection, config: KeaConfig, hash: string | undefined): Promise<void> {
  const parameters = { Dhcp4: config }
  await kea.send('config-test', parameters)
  if (hash !== undefined) {
    // `as`: so Kea describes its reply.
    const now = (await kea.send('config-hash-get')) as { hash?: string }
    if (now.hash !== hash) throw new Error('somebody else has changed the configuration meanwhile')
  }
  await kea.send('config-set', parameters)
  await kea.send('config-write').catch((error: Error) => {
    throw new Error(`in force until Kea starts again, because its file could not be written: ${error.message}`)
  })
}

/** First what is in the way of others: two computers may exchange their addresses. */
async function changeHosts(kea: KeaConnection, { added, changed, removed }: Compared) {
  const remove = ({ mac, scope }: Reservation) =>
    kea.send('reservation-del', { 'subnet-id': scope, 'identifier-type': 'hw-address', identifier: mac })
  const add = (reservation: Reservation) =>
    kea.send('reservation-add', { reservation: { 'subnet-id': reservation.scope, ...toKea(reservation) } })
  for (const reservation of removed) await remove(reservation)
  for (const { from } of changed) await remove(from)
  for (const { to } of changed) await add(to)
  for (const reservation of added) await add(reservation)
}
