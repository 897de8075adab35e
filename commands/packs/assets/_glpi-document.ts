// A computer as a document in the inventory format of GLPI. What is not known is left out, as GLPI takes no empty values.
import type { Services } from 'fleet-host'
import { type AssetFacts, known, macOf, readFacts } from './_asset-facts.ts'
import type { Context } from './_asset-schemas.ts'
import { splitModel } from './_makers.ts'
import type { Serials } from './_serials.ts'

export type GlpiDocument = ReturnType<typeof documentOf>

/** Lines of software that are read at once, and at most of one computer. */
const [linesAtOnce, mostLines] = [2000, 20_000]

/** By address, of those that are computers. */
export async function readDocuments(
  ips: readonly string[],
  serials: Serials,
  { services, settings }: Context,
): Promise<Map<string, GlpiDocument>> {
  const users = new Map(services.sessions.list().map(({ client, user }) => [client, user]))
  const documents = new Map<string, GlpiDocument>()
  for (const facts of await readFacts(ips, services)) {
    const { ip } = facts.record
    const user = settings.users ? users.get(ip) : undefined
    // GLPI joins computers of one serial number: those that share one are found by their hardware addresses.
    const hasSerial = !serials.junk.has(ip) && !serials.repeated.has(ip)
    documents.set(ip, documentOf(facts, { user, hasSerial, lines: await readLines(facts.lists, services) }, services))
  }
  return documents
}

async function readLines(lists: readonly number[], { store, slices }: Services): Promise<string[]> {
  const lines: string[] = []
  for (let after: string | undefined; lists.length > 0 && lines.length < mostLines; after = lines.at(-1)) {
    const page = await store.inventory.programs(lists, { like: '*', limit: linesAtOnce, after })
    for (const { program } of page) lines.push(program)
    if (page.length < linesAtOnce) break
    await slices.pause()
  }
  return lines
}

interface Details {
  user: string | undefined
  hasSerial: boolean
  lines: readonly string[]
}

function documentOf(facts: AssetFacts, { user, hasSerial, lines }: Details, { inventory }: Services) {
  const { record, devices, disks, systems } = facts
  const mac = macOf(record)
  const [system] = systems
  const memories = devices('memory').map(description => memoryOf(description, inventory.sizeOf))
  const memory = memories.reduce((sum, { capacity = 0 }) => sum + capacity, 0)
  const board = splitModel(devices('mainboard')[0])
  const { manufacturer, model } = splitModel(devices('computer model')[0])
  return {
    // The same for all pushes of a computer, also under another name or address.
    deviceid: ['fleet-host', record.id, mac?.replaceAll(':', '')].filter(Boolean).join('-'),
    itemtype: 'Computer',
    action: 'inventory',
    content: {
      versionclient: 'fleet-host_v1.0.0',
      hardware: known({ name: record.name, memory, lastloggeduser: user }),
      bios: known({
        ssn: hasSerial ? record.serial_number : '',
        smanufacturer: manufacturer,
        smodel: model,
        mmanufacturer: board.manufacturer,
        mmodel: board.model,
      }),
      networks: [
        {
          description: record.netiface || 'eth0',
          status: 'up',
          type: 'ethernet',
          virtualdev: false,
          ...known({ ipaddress: record.ip, ipmask: record.netmask, mac }),
        },
      ],
      cpus: devices('processor').map(name => ({ name })),
      memories,
      storages: disks.map(({ size, name }, at) => ({
        name: `disk ${at + 1}`,
        type: 'disk',
        ...known({ disksize: size, model: name }),
      })),
      videos: devices('graphics card').map(name => ({ name })),
      sounds: devices('sound device').map(name => ({ name })),
      softwares: lines.map(line => inventory.splitProgram(line)),
      ...(system !== undefined && { operatingsystem: { name: system, full_name: system } }),
      ...(user && { users: [{ login: user }] }),
    },
  }
}

function memoryOf(description: string, sizeOf: Services['inventory']['sizeOf']) {
  const type = /\b(LP)?DDR\dX?\b/i.exec(description)?.[0]
  const speed = /\b\d+ M(?:T\/s|Hz)/.exec(description)?.[0]
  return known({ description, capacity: Math.round(sizeOf(description)), type, speed })
}
