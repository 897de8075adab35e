// Thousands of agents without a record connect, and then a computer with a record.
import { setTimeout as wait } from 'node:timers/promises'
import { type Attack, strangerAt } from './attack.ts'

const connections = 5_000
const atOnce = 250

export default {
  name: 'unknown-agents',
  summary: '5,000 agents without a record connect and stay',
  seconds: 5,
  bounds: { log: 2_000_000 },
  async run(target) {
    let closed = 0
    for (let first = 0; first < connections; first += atOnce) {
      const addrs = Array.from({ length: atOnce }, (_, index) => strangerAt(first + index))
      for (const socket of await Promise.all(addrs.map(target.agent))) {
        socket.resume()
        socket.on('close', () => (closed += 1))
      }
    }
    const addr = target.absent[0] ?? ''
    await target.agent(addr)
    await wait(500)
    const { status, json } = await target.call('GET /clients')
    const clients: { addr: string }[] = json?.clients ?? []
    const problems = clients.some(client => client.addr === addr) ? [] : ['a computer with a record is not listed']
    while (!target.isOver()) await wait(100)
    return { figures: `${closed} closed, GET /clients: ${status} with ${clients.length} clients`, problems }
  },
} satisfies Attack
