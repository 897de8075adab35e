// Measures the queue: queues five steps for each of many offline computers, connects them and waits for all results.
//
//   node --import tsx test/tools/bench/queue.ts [--computers 100,300,1000]
import { parseArgs } from 'node:util'
import { connectAgent } from '../../harness/simulated-agent.ts'
import { startTestHost } from '../../harness/test-host.ts'

const steps = Array.from({ length: 5 }, (_, index) => ({
  command: 'shell-run',
  params: { run: `echo ${index}`, echo: true },
}))

export interface QueueResult {
  /** Milliseconds of the request that queues all steps. */
  queued: number
  /** Milliseconds from the first connection until all parts have ended. */
  drained: number
  /** Number of parts in each state. */
  counts: Record<string, number>
}

export async function measureQueue(computers: number): Promise<QueueResult> {
  const lab = await startTestHost({ options: { store: { path: './data' }, limits: { response: 8_000_000 } } })
  const addrs = Array.from(
    { length: computers },
    (_, index) => `127.20.${Math.floor(index / 250)}.${(index % 250) + 1}`,
  )
  for (const addr of addrs) await lab.addComputer(addr)
  await lab.call('POST /procedure/add', { center: '1', name: 'Five', steps })
  await lab.call('POST /task/add', { center: '1', name: 'Five', steps: [{ procedure: 1 }] })
  const start = performance.now()
  const { headers } = await lab.call('POST /task/run', { task: '1' })
  const queued = performance.now() - start
  const replies = { '*': { status: 200 }, '/shell/run': { status: 200, body: { out: 'done' } } }
  const connecting = performance.now()
  const port = lab.host.ports.agents
  const agents = await Promise.all(addrs.map(addr => connectAgent({ port, addr, auto: replies, keep: false })))
  const id = Number(headers['x-job-id'])
  const job = async () =>
    (await lab.call('GET /jobs?limit=10')).json.jobs.find((each: { id: number }) => each.id === id).counts
  let counts = await job()
  while (counts.queued + counts.sent > 0) counts = await job()
  const drained = performance.now() - connecting
  for (const agent of agents) agent.destroy()
  await lab.stop()
  return { queued, drained, counts }
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({ options: { computers: { type: 'string', default: '100,300,1000' } } })
  for (const computers of values.computers.split(',').map(Number)) {
    const { queued, drained, counts } = await measureQueue(computers)
    const each = (time: number) => `${(time / computers).toFixed(2)} ms a computer`
    console.log(
      `${computers} computers x 5 steps: queued ${each(queued)}, drained ${each(drained)}, ${counts.success} done`,
    )
  }
}
