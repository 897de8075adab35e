// Compares this version with another checkout: CPU of reads, of a new computer and of a command to all agents, in turns.
import { inTurns, type Measurement, type Row } from '../measurement.ts'
import type { Callers } from '../processes/callers.ts'
import { addRequests, addressesOf, requestText } from '../processes/computers.ts'
import { loadOf } from '../processes/process-usage.ts'
import { forward } from './fan-out.ts'

const rounds = { warm: 5, rounds: 11 }
/** Of a round few requests are measured: only after more rounds the code that they run is compiled. */
const commandRounds = { warm: 30, rounds: 21 }
const load = { callers: 8, milliseconds: 150 }
/** So many computers are added in a round, however long that takes. */
const adds = { count: 300, milliseconds: 20_000, once: true, keepAlive: true }
/** Whether their payload names a computer. */
const paths = { '/clients': false, '/scopes': false, '/client/info': true, '/hardware': true, '/images': false }

export const compare: Measurement = {
  name: 'compare',
  sizes: [100, 1_000],
  most: 100,
  async run(bench, size, { base }) {
    if (base === undefined) throw new Error('compare: expected --base DIR')
    const callers = bench.child<Callers>('callers.ts')
    const clients = addressesOf(size)
    const start = async (tree?: string) => {
      const daemon = await bench.daemon(size, { tree })
      return { daemon, pid: daemon.pid, port: daemon.ports.rest, agents: await bench.agentsOf(daemon, size) }
    }
    const versions = [await start(base), await start()]
    const rows: Row[] = []
    for (const keepAlive of [true, false]) {
      const how = keepAlive ? ', keep-alive' : ''
      for (const [path, ofComputer] of Object.entries(paths)) {
        const requests = [requestText(`GET ${path}`, ofComputer ? { client: [clients[0]] } : undefined, keepAlive)]
        const costs = await inTurns(versions, rounds, ({ pid, port }) =>
          loadOf(callers, pid, { ...load, port, keepAlive, requests }),
        )
        rows.push(rowOf(`GET ${path}${how}: CPU`, ...costs.map(({ cpu }) => cpu)))
      }
    }
    for (const count of [1, 8]) {
      const costs = await inTurns(versions, rounds, ({ pid, port }) =>
        loadOf(callers, pid, { ...adds, port, callers: count, requests: addRequests(adds.count, true) }),
      )
      rows.push(
        rowOf(`client/add, ${count} ${count === 1 ? 'caller' : 'callers'}: CPU`, ...costs.map(({ cpu }) => cpu)),
      )
    }
    const commands = await inTurns(versions, commandRounds, ({ daemon, agents }) => forward(daemon, agents, clients))
    rows.push(rowOf(`a command to ${size} agents: CPU`, ...commands.map(({ cpu }) => cpu)))
    rows.push(rowOf(`the replies of ${size} agents: CPU`, ...commands.map(({ storing }) => storing)))
    return rows
  },
}

const rowOf = (figure: string, baseline = Number.NaN, measured = Number.NaN): Row => ({
  figure,
  measured,
  unit: 'ms',
  baseline,
})
