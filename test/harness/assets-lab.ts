// A lab with the built-in pack assets, and a server that takes inventories as GLPI does.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import type pack from '../../commands/packs/assets/pack.ts'
import type { LabOptions } from '../../host/contract/test-lab.ts'
import { createLab } from '../../host/test-kit/lab.ts'
import { glpiInventory } from './glpi-inventory.ts'

const validate = new Ajv({ allErrors: true }).compile(glpiInventory)

type Reply = (response: ServerResponse, message: GlpiMessage, headers: IncomingMessage['headers']) => void

export interface GlpiMessage {
  action: string
  deviceid: string
  // biome-ignore lint/suspicious/noExplicitAny: each test looks at other parts
  content: any
}

export interface Glpi {
  url: string
  /** The inventories that were sent, also those that were not taken. */
  inventories: GlpiMessage[]
  headers: IncomingMessage['headers'][]
  /** Paths and bodies of what was no JSON message. */
  others: { path: string; body: string }[]
  /** What it replies to a request for a token. */
  token: object
  /** How it replies from now on; undefined: as GLPI does. */
  reply: Reply | undefined
  close(): Promise<void>
}

export const replyJson = (response: ServerResponse, status: number, body: object) =>
  void response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))

/** Takes what the format of GLPI allows, and refuses the rest with the errors of the schema. */
const asGlpi: Reply = (response, message) => {
  if (message.action === 'inventory' && !validate(message)) {
    const errors = validate.errors?.map(({ instancePath, message }) => `${instancePath} ${message}`).join(', ')
    return replyJson(response, 400, { status: 'error', message: `JSON does not validate: ${errors}`, expiration: 24 })
  }
  return replyJson(response, 200, { status: 'ok', expiration: 24 })
}

export async function startGlpi(): Promise<Glpi> {
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    if (request.headers['content-type'] !== 'application/json') {
      glpi.others.push({ path: request.url ?? '', body })
      return replyJson(response, 200, glpi.token)
    }
    const message: GlpiMessage = JSON.parse(body)
    if (message.action === 'inventory') glpi.inventories.push(message)
    glpi.headers.push(request.headers)
    ;(glpi.reply ?? asGlpi)(response, message, request.headers)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const glpi: Glpi = {
    url: `http://127.0.0.1:${address instanceof Object ? address.port : 0}/glpi/front/inventory.php`,
    inventories: [],
    headers: [],
    others: [],
    token: { access_token: 'the-access-token', token_type: 'Bearer', expires_in: 3600 },
    reply: undefined,
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
  return glpi
}

export type AssetsLab = Awaited<ReturnType<typeof startAssets>>

/** The pack is enabled. */
export async function startAssets(options: Partial<LabOptions<typeof pack>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-assets-'))
  const lab = await createLab<typeof pack>({ ...options, folder, pack: 'assets' })
  const accepted = async (path: string, payload: object) => {
    const response = await lab.post(path, payload)
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${response.reason}`)
    return response
  }
  await accepted('/pack/enable', { pack: 'assets' })
  return {
    ...lab,
    accepted,
    /** Stores what the agent of a client reports: lines of hardware, and of software. */
    async report(at: number, hardware: string, software = '') {
      const client = lab.clients[at]
      if (!client) throw new Error(`no client ${at}`)
      client.replyTo('GET /hardware', { hardware })
      await accepted('/hardware', { clients: [client.addr] })
      if (software === '') return
      client.replyTo('GET /software', { partition: '1', software })
      await accepted('/software', { clients: [client.addr], disk: '1', partition: '1' })
    },
    /** Changes the record of a client. */
    change: (at: number, values: object) => accepted('/client/update', { ip: lab.addresses[at], ...values }),
    async stop() {
      await lab.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export const pushAll = (lab: AssetsLab) => lab.post('/assets/push')
export const rowsOf = async (lab: AssetsLab) => (await lab.get('/view/assets/asset-report')).json.rows
export const namesIn = ({ inventories }: Glpi) => inventories.map(({ content }) => content.hardware.name)

/** Calls `use` with a lab, of which the pack pushes to a GLPI. */
export async function withGlpi(
  { settings, ...options }: Partial<LabOptions<typeof pack>> & { settings?: Record<string, unknown> },
  use: (lab: AssetsLab, glpi: Glpi) => Promise<void>,
): Promise<void> {
  const glpi = await startGlpi()
  const lab = await startAssets({
    clients: 1,
    ...options,
    settings: { glpi: { url: glpi.url, seconds: 1, ...settings } },
  })
  try {
    await use(lab, glpi)
  } finally {
    await lab.stop()
    await glpi.close()
  }
}
