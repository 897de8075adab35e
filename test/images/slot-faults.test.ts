// A small version of the program slot-faults.ts.
import { suite } from 'uvu'
import { equal } from 'uvu/assert'
import type { Agent, ReplyTable } from '../../host/test-kit/simulated-agent.ts'
import { jobIdOf } from '../harness/job-results.ts'
import { layout, restorePayload, restoreReply } from '../harness/lab-images.ts'
import { pollUntil } from '../harness/poll.ts'
import { startTestHost, type TestHost } from '../harness/test-host.ts'

interface SlotFaults {
  clients: number
  slots: number
  seed: number
}

interface SlotReport {
  /** How many ran at once at most, as agents were sent them, and in the store. */
  most: number
  /** How many slots were free in the end: so many clients were sent one more restore at once. */
  free: number
  /** Parts that have not ended. */
  unfinished: number
  /** By state and reason. */
  outcomes: Record<string, number>
}

const repository = '10.9.9.9'
/** Milliseconds until the deadline of a restore, and a reply that is later. */
const deadline = 1000
const late = 1400

async function runSlotFaults({ clients, slots, seed }: SlotFaults): Promise<SlotReport> {
  const host = await startTestHost({ options: { deadlines: { 'image-restore': deadline / 1000 } } })
  try {
    await host.call('POST /repository/add', { name: 'faults', ip: repository, slots })
    const lab = new FaultyLab(host, seed)
    await lab.connect(clients)
    const payload = { clients: lab.addrs, ...restorePayload, repository }
    const job = jobIdOf(await host.call('POST /image/restore?queue=1&expires=600', payload))
    const counts = await lab.watch(job)
    lab.isCalm = true
    await pollUntil(() => lab.isComplete())
    const free = await lab.countFree(slots)
    return { most: lab.most, free, unfinished: counts.queued + counts.sent, outcomes: await lab.outcomes(job) }
  } finally {
    await host.stop()
  }
}

class FaultyLab {
  most = 0
  /** No more faults: agents do not reply any more, either. */
  isCalm = false
  readonly addrs: string[] = []
  readonly #host: TestHost
  readonly #random: () => number
  readonly #agents = new Map<string, Agent>()
  readonly #running = new Set<string>()

  constructor(host: TestHost, seed: number) {
    this.#host = host
    this.#random = createRandom(seed)
    host.host.events.on(
      event => {
        if (!('command' in event) || event.command !== 'image-restore') return
        if (event.type === 'command-sent') this.#running.add(event.addr)
        if (event.type === 'command-ended') this.#running.delete(event.addr)
        this.most = Math.max(this.most, this.#running.size)
      },
      ['command-sent', 'command-ended'],
    )
  }

  async connect(count: number): Promise<void> {
    for (let at = 0; at < count; at += 1) {
      const addr = `127.${90 + Math.floor(at / 62_500)}.${Math.floor(at / 250) % 250}.${(at % 250) + 1}`
      this.addrs.push(addr)
      await this.#host.addComputer(addr)
    }
    for (const addr of this.addrs) await this.#start(addr)
  }

  isComplete(): boolean {
    return this.#agents.size === this.addrs.length
  }

  /** Resolves when all parts of the job have ended; some waiting clients reboot meanwhile. */
  async watch(job: number): Promise<Record<string, number> & { queued: number; sent: number }> {
    for (;;) {
      const { counts } = (await this.#host.call(`GET /jobs?limit=1`)).json.jobs.find(
        ({ id }: { id: number }) => id === job,
      )
      this.most = Math.max(this.most, counts.sent)
      if (counts.queued + counts.sent === 0) return counts
      const addr = this.addrs[Math.floor(this.#random() * this.addrs.length)] ?? ''
      if (this.#random() < 0.2 && !this.#running.has(addr)) this.#reboot(addr)
      await new Promise(resolve => setTimeout(resolve, 5))
    }
  }

  /** How many clients are sent a further restore at once. */
  async countFree(slots: number): Promise<number> {
    this.#running.clear()
    const payload = { clients: this.addrs.slice(0, slots + 3), ...restorePayload, repository }
    const job = jobIdOf(await this.#host.call('POST /image/restore?queue=1', payload))
    await pollUntil(() => this.#running.size >= slots)
    const free = this.#running.size
    await this.#host.call('POST /job/cancel', { id: String(job) })
    return free
  }

  async outcomes(job: number): Promise<Record<string, number>> {
    const outcomes: Record<string, number> = {}
    // One page has 500 parts.
    for (const { state, reason } of (await this.#host.call(`GET /jobs/${job}`)).json.parts) {
      const name = reason ? `${state}: ${reason}` : state
      outcomes[name] = (outcomes[name] ?? 0) + 1
    }
    return outcomes
  }

  async #start(addr: string): Promise<void> {
    const auto: ReplyTable = {
      '/refresh': { status: 200, body: layout },
      '/run/schedule': { status: 200 },
      '/image/restore': (_, agent) => this.#onRestore(agent),
    }
    const agent = await this.#host.agent(addr, { auto, keep: false })
    this.#agents.set(addr, agent)
  }

  #onRestore(agent: Agent): { status: number; body?: object; delay: number } | undefined {
    if (this.isCalm) return undefined
    const kind = this.#random()
    const delay = Math.floor(this.#random() * 30)
    if (kind < 0.1) return void setTimeout(() => this.#reboot(agent.addr), delay)
    if (kind < 0.15) return { status: 500, delay }
    if (kind < 0.2) setTimeout(() => agent.clearMissingReplies(), deadline)
    return kind < 0.2 ? { ...restoreReply, delay: late } : { ...restoreReply, delay }
  }

  /** Its connection breaks, and it is back soon. */
  #reboot(addr: string): void {
    const agent = this.#agents.get(addr)
    if (!agent) return
    this.#agents.delete(addr)
    agent.destroy()
    setTimeout(() => void this.#start(addr), this.#random() * 100)
  }
}

/** Mulberry32: the same numbers for the same seed. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

// With arguments the file is a program, for as many clients and seeds as they say.
if (process.argv[1] === import.meta.filename && process.argv.length > 2) {
  const [clients = 480, slots = 10, ...seeds] = process.argv.slice(2).map(Number)
  for (const seed of seeds.length > 0 ? seeds : [1]) {
    const report = await runSlotFaults({ clients, slots, seed })
    process.stdout.write(`seed ${seed}: ${JSON.stringify(report)}\n`)
    if (report.most > slots || report.free !== slots || report.unfinished > 0) process.exitCode = 1
  }
}

const test = suite('slots while agents fail')

test('40 restores with 4 slots, while agents die, reboot and answer late: never more than 4 run, none is lost', async () => {
  const { most, free, unfinished } = await runSlotFaults({ clients: 40, slots: 4, seed: 1 })
  equal({ most, free, unfinished }, { most: 4, free: 4, unfinished: 0 })
})

test.run()
