// Procedures of procedures: 100,000 steps for 3,000 clients.
import type { Attack, Target } from './attack.ts'

const levels = 5
const width = 10
const clients = Array.from({ length: 3_000 }, (_, index) => `127.62.${index >> 8}.${index & 255}`)

export default {
  name: 'nested-procedures',
  summary: 'a procedure of 5 levels of 10 steps is run for 3,000 clients, then for one',
  seconds: 10,
  async run(target) {
    await addComputers(target)
    const top = await addProcedures(target)
    const statuses: number[] = []
    for (const addrs of [clients, clients.slice(0, 1)]) {
      const { status } = await target.call('POST /procedure/run', { clients: addrs, procedure: top })
      statuses.push(status)
    }
    const list = await target.call('GET /jobs')
    const problems = list.status === 200 ? [] : [`GET /jobs: ${list.status}`]
    return {
      figures: `for 3,000 clients: ${statuses[0]}, for one: ${statuses[1]}, GET /jobs: ${list.status}`,
      problems,
    }
  },
} satisfies Attack

async function addComputers({ call }: Target): Promise<void> {
  const rows = clients.map(
    (ip, index) => `n${index},${ip},${(0x02_62_00_00_00_00 + index).toString(16).padStart(12, '0')},none\n`,
  )
  for (let from = 0; from < rows.length; from += 1_000) {
    const text = `name,ip,mac,boot\n${rows.slice(from, from + 1_000).join('')}`
    await call('POST /client/import', { format: 'csv', room: 1, text })
  }
}

/** Returns the id of the procedure of the highest level. */
async function addProcedures({ call }: Target): Promise<string> {
  const params = { run: 'true', echo: true }
  let step: object = { command: 'shell-run', params }
  let id = ''
  for (let level = 0; level < levels; level += 1) {
    const steps = Array<object>(width).fill(step)
    const { headers } = await call('POST /procedure/add', { center: '1', name: `level ${level}`, steps })
    id = String(headers['x-id'] ?? '') || String(await newestProcedure(call))
    step = { procedure: Number(id) }
  }
  return id
}

async function newestProcedure(call: Target['call']): Promise<number> {
  const { json } = await call('GET /procedures')
  return Math.max(...json.procedures.map(({ id }: { id: number }) => id))
}
