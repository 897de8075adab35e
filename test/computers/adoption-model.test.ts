// Random sequences of connections, adoptions and deletions: who is pending and who has a record follows a small model.
import fc from 'fast-check'
import { suite } from 'uvu'
import { equal } from 'uvu/assert'
import type { Agent } from '../../host/test-kit/simulated-agent.ts'
import { sayHello } from '../harness/hello.ts'
import { pollUntil } from '../harness/poll.ts'
import { type Call, checkModel } from '../harness/random-runs.ts'
import { startTestHost } from '../harness/test-host.ts'

export const runs = { seconds: 8, postgres: true }

const lab = await startTestHost({ options: { store: { adapter: 'lowdb', path: './data' } } })
await lab.addComputer('127.10.9.9')

interface Computer {
  addr: string
  hello: object
  agent?: Agent | undefined
  hasRecord: boolean
}

let computers = 0
function createComputer(): Computer {
  computers += 1
  const number = computers.toString(16).padStart(4, '0')
  const hello = { name: `pc-${number}`, mac: `001b21aa${number}` }
  return { addr: `127.10.${computers >> 8}.${computers & 255}`, hello, hasRecord: false }
}

const statusOf = async (route: string, { addr }: Computer, more: object = {}) =>
  (await lab.call(route, { clients: [addr], ...more })).status
const adopt = (computer: Computer) => statusOf('POST /client/adopt', computer, { room: 1 })
const isPending = ({ agent, hasRecord }: Computer) => agent !== undefined && !hasRecord

const actions: Record<string, (computer: Computer) => Promise<void>> = {
  async connect(computer) {
    if (computer.agent) return
    const { addr, hello } = computer
    const isIntroduced = lab.event('client-hello', { addr })
    computer.agent = await lab.agent(addr)
    sayHello(computer.agent, hello)
    await isIntroduced
  },
  async disconnect(computer) {
    const { addr, agent } = computer
    if (!agent) return
    const isGone = lab.event('client-gone', { addr })
    computer.agent = undefined
    await agent.close()
    await isGone
  },
  async adopt(computer) {
    equal(await adopt(computer), isPending(computer) ? 200 : 400)
    computer.hasRecord ||= isPending(computer)
  },
  async 'adopt twice at once'(computer) {
    const statuses = await Promise.all([adopt(computer), adopt(computer)])
    equal(statuses.sort(), isPending(computer) ? [200, 400] : [400, 400])
    computer.hasRecord ||= isPending(computer)
  },
  async delete(computer) {
    equal(await statusOf('POST /client/delete', computer), 200)
    computer.hasRecord = false
  },
}

const calls: fc.Arbitrary<Call<Computer[]>> = fc
  .tuple(fc.constantFrom(...Object.entries(actions)), fc.nat(2))
  .map(([[name, run], at]) => ({
    name: `${name} ${at}`,
    async run(model) {
      const computer = model[at]
      if (computer) await run(computer)
    },
  }))

/** Of each computer, whether it is pending and whether it has a record. */
async function read(model: Computer[]): Promise<boolean[][]> {
  const { pending }: { pending: { client: string }[] } = (await lab.call('GET /pending')).json
  const records: { ip: string }[] = (await lab.call('GET /scopes')).json.scope[0].scope[0].scope
  return model.map(({ addr }) => [pending.some(({ client }) => client === addr), records.some(({ ip }) => ip === addr)])
}

async function compare(model: Computer[]): Promise<void> {
  const expected = model.map(computer => [isPending(computer), computer.hasRecord])
  await pollUntil(async () => JSON.stringify(await read(model)) === JSON.stringify(expected), 20_000).catch(() => {})
  const got = await read(model)
  equal(got, expected, `expected ${JSON.stringify(expected)}, got ${JSON.stringify(got)}`)
}

const test = suite('adoption and its model')
test.after(() => lab.stop())

test('computers that connect, are adopted, also twice at once, and deleted are listed as the model says', () =>
  checkModel<Computer[]>(
    {
      calls,
      create: () => Array.from({ length: 3 }, createComputer),
      compare,
      async end(model) {
        for (const { agent } of model) await agent?.close()
      },
    },
    12,
  ))

test.run()
