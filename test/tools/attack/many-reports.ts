// A caller with few rights asks for the report of a large job on many open connections at once.
import type { Socket } from 'node:net'
import type { Attack, Target } from './attack.ts'
import { textUntil } from './peers.ts'

const clients = 1_000
const connections = 300
const responseTime = 30_000 // ms
const address = (index: number) => `127.68.${index >> 8}.${index & 255}`
const addresses = Array.from({ length: clients }, (_, index) => address(index))

export default {
  name: 'many-reports',
  summary: 'a token that may read one room asks 300 times at once for the report of a job of 100,000 parts',
  seconds: 20,
  bounds: { data: 64_000_000 },
  async run(target) {
    const { call, caller, isOver } = target
    const id = await runLargestJob(target)
    const { json } = await call('POST /token/add', { name: `room ${id}`, role: 'read', rooms: [2] })
    const request = `GET /job/report?id=${id} HTTP/1.1\r\nHost: x\r\nAuthorization: ${json?.token}\r\n\r\n`
    const statuses = new Map<string, number>()
    while (!isOver()) {
      const sockets = await Promise.all(Array.from({ length: connections }, () => caller('127.0.0.1')))
      const responses = sockets.map(socket => statusOf(socket, request))
      for (const status of await Promise.all(responses)) statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    const others = [...statuses.keys()].filter(status => status !== '200' && status !== '429')
    const figures = [...statuses].map(([status, count]) => `${count} ${status || 'without a response'}`).join(', ')
    return { figures, problems: others.map(status => `a response ${status || 'is missing'}`) }
  },
} satisfies Attack

async function statusOf(socket: Socket, request: string): Promise<string> {
  const response = textUntil(socket, '\r\n\r\n', responseTime)
  socket.write(request)
  const [, status = ''] = (await response).split(' ')
  socket.destroy()
  return status
}

/** Resolves to the id of a job with as many parts as `limits.run_parts` admits, all of computers of room 2. */
async function runLargestJob({ call }: Target): Promise<string> {
  const rows = addresses.map((addr, index) => {
    const mac = (0x02_68_00_00_00_00 + index).toString(16).padStart(12, '0')
    return `report-${index},${addr},${mac},none\n`
  })
  await call('POST /client/import', { format: 'csv', room: 2, text: `name,ip,mac,boot\n${rows.join('')}` })
  const tenTimes = (step: object) => Array.from({ length: 10 }, () => step)
  const script = { command: 'shell-run', params: { run: 'x', echo: true } }
  let steps = tenTimes(script)
  let id = ''
  for (const name of ['Ten', 'Hundred']) {
    const { headers } = await call('POST /procedure/add', { center: '1', name: `${name} reports`, steps })
    id = String(headers['x-id'])
    steps = tenTimes({ procedure: Number(id) })
  }
  const { status, headers } = await call('POST /procedure/run', { clients: addresses, procedure: id })
  if (status !== 200) throw new Error(`procedure/run: ${status}`)
  return String(headers['x-job-id'])
}
