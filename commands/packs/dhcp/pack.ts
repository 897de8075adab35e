// Keeps the reservations of DHCP servers as the records of the computers are: of dnsmasq and of Kea.
import { access, constants } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Pack } from 'fleet-host'
import { roomOf } from './_boot-options.ts'
import { collections, type Settings, settings } from './_dhcp-schemas.ts'
import { serversOf } from './_sync.ts'

/** The form of the settings waits for all servers. */
const checkMilliseconds = 8000

export default {
  contract: 3,
  summary: 'Reservations of dnsmasq and Kea from the records of the computers',
  version: '1.0.0',
  settings,
  collections,
  async check({ settings, services }) {
    const { where, boot, kea } = settings
    const refusal = where === '' ? undefined : await services.search.check({ where })
    if (refusal) return refusal
    const rooms = boot.map(roomOf)
    const repeated = rooms.find((room, index) => rooms.indexOf(room) !== index)
    if (repeated !== undefined) return services.refuse(`boot: expected one line for room ${repeated}`)
    for (const room of rooms)
      if (room !== 0 && !(await services.store.rooms.find(room)))
        return services.refuse(`boot: there is no room ${room}`)
    const wrong = kea.urls.find(url => !isAddress(url))
    if (wrong !== undefined) return services.refuse(`kea.urls: expected http://… without a login, got ${wrong}`)
    const problem = (await folderProblem(settings)) ?? (await serverProblem(settings, services.signal))
    return problem === undefined ? undefined : services.refuse(problem)
  },
} as const satisfies Pack<typeof settings>

function isAddress(url: string): boolean {
  const { protocol, username, password } = URL.canParse(url) ? new URL(url) : new URL('none:')
  return /^https?:$/.test(protocol) && username === '' && password === ''
}

async function folderProblem({ dnsmasq }: Settings): Promise<string | undefined> {
  for (const key of ['hosts_file', 'options_file'] as const) {
    if (dnsmasq[key] === '') continue
    const folder = dirname(dnsmasq[key])
    const canWrite = await access(folder, constants.W_OK).then(
      () => true,
      () => false,
    )
    if (!canWrite) return `dnsmasq.${key}: ${folder} is no folder that the daemon may write`
  }
  return undefined
}

async function serverProblem(settings: Settings, ended: AbortSignal): Promise<string | undefined> {
  const signal = AbortSignal.any([ended, AbortSignal.timeout(checkMilliseconds)])
  const problems = await Promise.all(
    serversOf(settings).map(server =>
      server.read(signal).then(
        () => undefined,
        (error: Error) => `${server.name}: ${error.message}`,
      ),
    ),
  )
  return problems.find(problem => problem !== undefined)
}
