// With the runner's `--hosts 2` or `--hosts 3` tests call one host of a fleet, and agents connect to the others.
import type { Host } from '../../host/host.ts'
import type { Events, FleetEvent } from '../../host/system/events.ts'
import { usesPostgres } from './default-store.ts'
import { hostsVariable } from './hosts-variable.ts'

const count = usesPostgres ? Number(process.env[hostsVariable] ?? 1) : 1

/** The names of the hosts to start for these options; a single host has none. */
export function hostNames(options: Record<string, unknown>): (string | undefined)[] {
  return count > 1 && options.cluster === undefined ? ['a', 'b', 'c'].slice(0, count) : [undefined]
}

type Sections = Record<string, unknown>

/** The options of one of several hosts: its own ports and folders. No test waits for the lease. */
export function optionsOf(name: string | undefined, options: Sections): Sections {
  if (name === undefined) return options
  const cluster = { name, lease_seconds: 60 }
  if (name === 'a') return { ...options, cluster }
  const section = (key: string) => ({ ...Object(options[key]) })
  return {
    ...options,
    cluster,
    rest: { ...section('rest'), port: 0 },
    agents: { ...section('agents'), port: 0 },
    store: { ...section('store'), path: `./data-${name}` },
    boot: { ...section('boot'), output: `${section('boot').output ?? './boot-output'}-${name}` },
  }
}

/** The host that an agent connects to: with two it is never the one that is called. */
export function hostOf(addr: string, hosts: readonly Host[]): Host {
  const [first, ...others] = hosts
  if (!first || others.length === 0) return first as Host // `as`: tests start one host at least.
  if (others.length === 1) return others[0] ?? first
  const sum = [...addr].reduce((total, character) => total + character.charCodeAt(0), 0)
  return hosts[sum % hosts.length] ?? first
}

/** The host that is called, with the events of all hosts on its bus. */
export function withEventsOfAll(hosts: readonly Host[]): Host {
  const [first] = hosts
  if (!first || hosts.length === 1) return first as Host // `as`: see above.
  return { ...first, events: eventsOf(hosts) }
}

function eventsOf(hosts: readonly Host[]): Events {
  const [first] = hosts.map(({ events }) => events)
  return {
    ...(first as Events), // `as`: see above.
    on(listener, types) {
      const own: typeof listener = (event, isRelayed) => {
        if (!isRelayed) listener(event, isRelayed)
      }
      const ends = hosts.map(({ events }) => events.on(own, types))
      return () => {
        for (const end of ends) end()
      }
    },
  }
}

/** Calls the listener with each event of any host, when the first host knows of it too. */
export function onKnownEvent(hosts: readonly Host[], listener: (event: FleetEvent) => void): () => void {
  const [first] = hosts
  const ends = hosts.map(host =>
    host.events.on((event, isRelayed) => {
      if (isRelayed) return
      if (host === first) return listener(event)
      // A host may have ended meanwhile.
      synchronize(host, first).then(
        () => listener(event),
        () => {},
      )
    }),
  )
  return () => {
    for (const end of ends) end()
  }
}

/** What has happened on the other hosts so far is known on the first one, as it would be a moment later. */
export async function settle([first, ...others]: readonly Host[]): Promise<void> {
  if (others.length === 0) return
  await Promise.all(others.map(host => host.synchronize()))
  await first?.synchronize()
}

/** What has happened on `from` is known on `to`. */
export async function synchronize(from: Host | undefined, to: Host | undefined): Promise<void> {
  await from?.synchronize()
  await to?.synchronize()
}
