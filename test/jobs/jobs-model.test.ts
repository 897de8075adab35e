// Random sequences of what callers and computers do with jobs: their parts have the states of a small model.
import fc from 'fast-check'
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import type { Agent } from '../../host/test-kit/simulated-agent.ts'
import { jobIdOf } from '../harness/job-results.ts'
import { startLab } from '../harness/lab.ts'
import { pollUntil } from '../harness/poll.ts'
import { type Call, checkModel } from '../harness/random-runs.ts'

export const runs = { seconds: 10, postgres: true }

const lab = await startLab({ options: { store: { adapter: 'lowdb', path: './data' } } })
const { jobs, call } = lab

interface Computer {
  addr: string
  agent?: Agent | undefined
  /** The last job that its agent has received. */
  received?: number
}

interface Job {
  id: number
  computer: Computer
  state: string
  /** It was not sent at once: what repeats it may wait, too. */
  hasWaited: boolean
}

interface Model {
  computers: Computer[]
  jobs: Job[]
}

const runningOn = ({ jobs }: Model, computer: Computer) =>
  jobs.find(job => job.computer === computer && job.state === 'sent')

const isFree = (model: Model, computer: Computer) => computer.agent !== undefined && !runningOn(model, computer)

/** A computer that is connected and free gets the oldest job that waits for it. */
function send(model: Model, computer: Computer): void {
  const next = model.jobs.find(job => job.computer === computer && job.state === 'queued')
  if (next && isFree(model, computer)) next.state = 'sent'
}

function add(model: Model, computer: Computer, id: number, mayWait = true): void {
  const state = isFree(model, computer) ? 'sent' : mayWait ? 'queued' : 'skipped'
  model.jobs.push({ id, computer, state, hasWaited: state === 'queued' })
}

function end(model: Model, computer: Computer, state: string): void {
  const running = runningOn(model, computer)
  if (running) running.state = state
  send(model, computer)
}

let computers = 0
async function addComputer(): Promise<Computer> {
  computers += 1
  const addr = `127.9.${computers >> 8}.${computers & 255}`
  await lab.addComputer(addr)
  return { addr }
}

const ofComputers: Record<string, (model: Model, computer: Computer) => Promise<void>> = {
  async connect(model, computer) {
    if (computer.agent) return
    const isReady = lab.event('client-ready', { addr: computer.addr })
    computer.agent = await lab.agent(computer.addr, { auto: { '/run/schedule': { status: 200 } } })
    await isReady
    send(model, computer)
  },
  async disconnect(model, computer) {
    const { addr, agent } = computer
    if (!agent) return
    const isGone = lab.event('client-gone', { addr })
    computer.agent = undefined
    await agent.close()
    await isGone
    end(model, computer, 'failure')
  },
  async succeed(model, computer) {
    await reply(model, computer, 200, 'success')
  },
  async fail(model, computer) {
    await reply(model, computer, 500, 'failure')
  },
  async queue(model, computer) {
    add(model, computer, await lab.queueShell(computer.addr, 'true'))
  },
  async 'succeed and cancel what waits at once'(model, computer) {
    const waiting = model.jobs.find(job => job.computer === computer && job.state === 'queued')
    if (!waiting || !runningOn(model, computer)) return
    await Promise.all([reply(model, computer, 200, 'success'), call('POST /job/cancel', { id: String(waiting.id) })])
    // Either was first; what was cancelled is not sent.
    const [state = ''] = await jobs.states(waiting.id)
    if (state === 'cancelled') waiting.state = state
    send(model, computer)
  },
}

async function reply(model: Model, computer: Computer, status: number, state: string): Promise<void> {
  if (!runningOn(model, computer)) return
  computer.agent?.answer(status)
  end(model, computer, state)
}

const ofJobs: Record<string, (model: Model, job: Job) => Promise<void>> = {
  async cancel(_, job) {
    const { status, headers } = await call('POST /job/cancel', { id: String(job.id) })
    is(status, 200, String(headers['x-reason']))
    if (job.state === 'queued') job.state = 'cancelled'
  },
  async retry(model, job) {
    const response = await call('POST /job/retry', { id: String(job.id) })
    const isOver = ['failure', 'cancelled', 'skipped'].includes(job.state)
    is(response.status, isOver ? 200 : 400, String(response.headers['x-reason']))
    if (isOver) add(model, job.computer, jobIdOf(response), job.hasWaited)
  },
}

const few = fc.nat(2)
const calls: fc.Arbitrary<Call<Model>> = fc.oneof(
  fc.tuple(fc.constantFrom(...Object.entries(ofComputers)), few).map(([[name, run], at]) => ({
    name: `${name} ${at}`,
    async run(model: Model) {
      const computer = model.computers[at]
      if (computer) await run(model, computer)
    },
  })),
  fc.tuple(fc.constantFrom(...Object.entries(ofJobs)), fc.nat(9)).map(([[name, run], at]) => ({
    name: `${name} ${at}`,
    async run(model: Model) {
      const job = model.jobs.at(-1 - at)
      if (job) await run(model, job)
    },
  })),
)

/** What is sent or has ended is stored a moment later, and what is stored as sent is received a moment later. */
async function compare(model: Model): Promise<void> {
  const read = () => Promise.all(model.jobs.map(({ id }) => jobs.states(id)))
  const states = model.jobs.map(({ state }) => [state])
  await pollUntil(async () => JSON.stringify(await read()) === JSON.stringify(states), 20_000).catch(() => {})
  const got = await read()
  equal(got, states, `expected ${states}, got ${got}`)
  for (const computer of model.computers) {
    const running = runningOn(model, computer)
    if (!running || running.id === computer.received) continue
    await computer.agent?.next('/shell/run')
    computer.received = running.id
  }
}

const test = suite('jobs and their model')
test.after(() => lab.stop())

test('jobs that are queued, sent, cancelled and retried have the states of the model', () =>
  checkModel<Model>(
    {
      calls,
      create: async () => ({ computers: [await addComputer(), await addComputer(), await addComputer()], jobs: [] }),
      compare,
      async end({ computers, jobs }) {
        for (const { agent } of computers) await agent?.close()
        for (const { id } of jobs) await call('POST /job/cancel', { id: String(id) })
      },
    },
    8,
  ))

test.run()
