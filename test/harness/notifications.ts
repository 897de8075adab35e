// A lab with the built-in pack of notifications, and receivers that keep what they are sent.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pack from '../../commands/packs/notifications/pack.ts'
import type { LabOptions } from '../../host/contract/test-lab.ts'
import { createLab } from '../../host/test-kit/lab.ts'

export interface Received {
  method: string
  path: string
  headers: Record<string, string>
  body: string
}

type Reply = (request: Received, response: ServerResponse) => void

export interface Receiver {
  url: string
  port: number
  received: Received[]
  /** How it replies from now on; at first with 204. */
  reply(reply: Reply): void
  close(): Promise<void>
}

const noContent: Reply = (_, response) => void response.writeHead(204).end()

/** `port`: 0 for a free one. */
export async function startReceiver(port = 0): Promise<Receiver> {
  const received: Received[] = []
  let reply = noContent
  const server = createServer(async (request, response) => {
    const one = await readRequest(request)
    received.push(one)
    reply(one, response)
  })
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  const address = server.address()
  const bound = address instanceof Object ? address.port : 0
  return {
    url: `http://127.0.0.1:${bound}/hook`,
    port: bound,
    received,
    reply(next) {
      reply = next
    },
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

async function readRequest(request: IncomingMessage): Promise<Received> {
  let body = ''
  for await (const chunk of request) body += chunk
  const headers = Object.fromEntries(Object.entries(request.headers).map(([key, value]) => [key, String(value)]))
  return { method: request.method ?? '', path: request.url ?? '', headers, body }
}

export const loopback = { allowed: ['127.0.0.0/8'] }

export type NotificationsLab = Awaited<ReturnType<typeof startNotifications>>

/** The pack is enabled, and may send to this machine. */
export async function startNotifications(options: Partial<LabOptions<typeof pack>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-notifications-'))
  const settings = { ...loopback, ...options.settings }
  const lab = await createLab<typeof pack>({ ...options, folder, pack: 'notifications', settings })
  const expectDone = async (path: string, payload: object) => {
    const response = await lab.post(path, payload)
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${response.reason}`)
    return response
  }
  await expectDone('/pack/enable', { pack: 'notifications' })
  return {
    ...lab,
    addTarget: (target: string, fields: object) => expectDone('/notifications/target/add', { target, ...fields }),
    addRule: (rule: string, fields: object) => expectDone('/notifications/rule/add', { rule, ...fields }),
    /** A job that fails on these clients; default: on all. */
    async fail(clients: readonly string[] = lab.addresses) {
      for (const client of lab.clients) if (clients.includes(client.addr)) client.replyTo('POST /shell/run', {}, 500)
      await lab.post('/shell/run', { clients: lab.addresses, run: 'true', echo: false })
    },
    async stop() {
      await lab.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export const bodiesOf = ({ received }: Receiver) => received.map(({ body }) => JSON.parse(body))

export const idsOf = ({ received }: Receiver) => received.map(({ headers }) => headers['webhook-id'] ?? '')

/** Calls `use` with a lab that has a webhook and a rule for failed jobs. */
export async function withWebhook(
  options: Parameters<typeof startNotifications>[0],
  use: (lab: NotificationsLab, receiver: Receiver, secret: string) => Promise<void>,
): Promise<void> {
  const receiver = await startReceiver()
  const lab = await startNotifications(options)
  try {
    const { json } = await lab.addTarget('tickets', { kind: 'webhook', address: receiver.url })
    await lab.addRule('failed jobs', { events: ['job-finished'], targets: ['tickets'] })
    await use(lab, receiver, json.secret)
  } finally {
    await lab.stop()
    await receiver.close()
  }
}
