// A server that replies to commands as Kea does, also to those for its hosts database, which Debian's Kea lacks.
import { createServer } from 'node:http'
import { type DhcpLab, withDhcpLab } from './dhcp-lab.ts'

interface Host {
  'subnet-id': number
  'hw-address': string
  [key: string]: unknown
}

interface Message {
  command: string
  // biome-ignore lint/suspicious/noExplicitAny: each command has its own
  arguments: any
}

export interface KeaStandIn {
  url: string
  /** Names of the commands that it got. */
  commands: string[]
  /** Its configuration. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look at parts of it
  config: any
  hosts: Host[]
  /** Commands that it refuses, with the text. */
  refusals: Record<string, string>
  authorization: string | undefined
  close(): Promise<void>
}

const refuse = (text: string) => ({ result: 1, text })
const found = (parameters: object) => ({ result: 0, arguments: parameters })

function reply(kea: KeaStandIn, { command, arguments: parameters }: Message): object {
  const refusal = kea.refusals[command]
  if (refusal !== undefined) return refuse(refusal)
  const { hosts, config } = kea
  switch (command) {
    case 'list-commands':
      return found(['config-get', 'config-set', ...(config['hosts-databases'] ? ['reservation-add'] : [])])
    case 'config-get':
      return found({ Dhcp4: config, hash: 'A' })
    case 'config-set':
      kea.config = parameters.Dhcp4
      return found({})
    case 'reservation-get-all': {
      const ofSubnet = hosts.filter(host => host['subnet-id'] === parameters['subnet-id'])
      return ofSubnet.length === 0 ? { result: 3, text: '0 IPv4 host(s) found.' } : found({ hosts: ofSubnet })
    }
    case 'reservation-add': {
      const { reservation } = parameters
      const isTaken = hosts.some(host => ['hw-address', 'ip-address'].some(key => host[key] === reservation[key]))
      if (isTaken) return refuse('Database duplicate entry error')
      hosts.push(reservation)
      return { result: 0, text: 'Host added.' }
    }
    case 'reservation-del': {
      const index = hosts.findIndex(host => host['hw-address'] === parameters.identifier)
      if (index >= 0) hosts.splice(index, 1)
      return { result: index >= 0 ? 0 : 3, text: 'Host deleted.' }
    }
    default:
      return { result: 0, text: 'done' }
  }
}

/** `isDirect`: as a server of its own replies, without the list of a control agent. */
export async function startKeaStandIn({ isDirect = false, hasDatabase = false } = {}): Promise<KeaStandIn> {
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const message: Message = JSON.parse(body)
    kea.commands.push(message.command)
    kea.authorization = request.headers.authorization
    const replied = structuredClone(reply(kea, message))
    response.writeHead(200, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify(isDirect ? replied : [replied]))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const kea: KeaStandIn = {
    url: `http://127.0.0.1:${address instanceof Object ? address.port : 0}/`,
    commands: [],
    config: {
      subnet4: [{ id: 7, subnet: '10.77.0.0/24', reservations: [] }],
      'shared-networks': [{ subnet4: [{ id: 8, subnet: '10.78.0.0/16' }] }],
      ...(hasDatabase && { 'hosts-databases': [{ type: 'mysql' }] }),
    },
    hosts: [],
    refusals: {},
    authorization: undefined,
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
  return kea
}

/** Calls `use` with a lab whose pack has these servers. */
export async function withKea(
  kinds: Parameters<typeof startKeaStandIn>[0][],
  use: (lab: DhcpLab, ...servers: KeaStandIn[]) => Promise<void>,
): Promise<void> {
  const servers = await Promise.all(kinds.map(startKeaStandIn))
  try {
    await withDhcpLab(async lab => {
      await lab.accepted('/pack/settings', { pack: 'dhcp', settings: { kea: { urls: servers.map(({ url }) => url) } } })
      await use(lab, ...servers)
    })
  } finally {
    for (const server of servers) await server.close()
  }
}
