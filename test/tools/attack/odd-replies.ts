// Agents report partitions that no disk has; and responses must not be read by browsers as anything else.
import { message } from '../simulator/agent-http.ts'
import type { Attack, Target } from './attack.ts'
import { textUntil } from './peers.ts'

const row = (disk: string, partition: string) => ({
  disk,
  partition,
  code: '83',
  filesystem: 'EXT4',
  os: '',
  size: '9',
  used_size: '0',
})
const layout = [row('1', '999999999999999'), row('999999999999999', '1'), row('-1', '1'), row('1', '1e3')]
const replyTime = 3000 // ms

export default {
  name: 'odd-replies',
  summary: 'reports of partition 999999999999999, and the headers of all kinds of responses',
  seconds: 3,
  cheap: true,
  async run(target) {
    const stored = await report(target, target.absent[0] ?? '')
    const routes = [
      'GET /clients',
      'GET /docs',
      'GET /metrics',
      'GET /healthz',
      'GET /client/export',
      'GET /openapi.json',
    ]
    const unsafe: string[] = []
    for (const route of routes) {
      const { status, headers } = await target.call(route)
      if (status === 200 && headers['x-content-type-options'] !== 'nosniff') unsafe.push(route)
    }
    const problems = [
      ...(stored.length > 0 ? [`stored: ${JSON.stringify(stored)}`] : []),
      ...(unsafe.length > 0 ? [`without nosniff: ${unsafe.join(', ')}`] : []),
    ]
    return { figures: `${layout.length} odd rows, ${routes.length} routes`, problems }
  },
} satisfies Attack

interface StoredRow {
  disk: number
  partition: number
}

/** Returns the rows that are stored although no disk has them. */
async function report({ agent, call }: Target, addr: string): Promise<StoredRow[]> {
  const socket = await agent(addr)
  await textUntil(socket, '/refresh', replyTime)
  socket.write(message(200, { disk_setup: [], partition_setup: layout, serial_number: '', link: 1000 }))
  for (const until = performance.now() + replyTime; performance.now() < until; ) {
    const { json } = await call('GET /clients')
    const entry = json.clients.find((client: { addr: string }) => client.addr === addr)
    if (entry === undefined || entry.last_cmd.result !== 'unknown') break
  }
  const { json } = await call('GET /client/setup', { client: [addr] })
  return json.partitions.filter(({ disk, partition }: StoredRow) => disk < 1 || disk > 255 || partition > 255)
}
