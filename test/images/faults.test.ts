// Restores in a lab whose clients fail in drawn ways.
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { type Agent, connectAgent } from '../../host/test-kit/simulated-agent.ts'
import { freePort } from '../harness/free-port.ts'
import { followJobs, type JobResults, jobIdOf, type PartJson } from '../harness/job-results.ts'
import { layout, restorePayload, restoreReply } from '../harness/lab-images.ts'
import { type LogServer, serveLog } from '../harness/log-server.ts'
import { pollUntil } from '../harness/poll.ts'
import { startTestHost, type TestHost } from '../harness/test-host.ts'
import { createRandom } from '../tools/attack/mutate.ts'

/** What goes wrong on a client; the agent answers 200 all the same, as the family's agents do. */
const faults = ['none', 'none', 'none', 'tool error', 'half a stream', 'repository full', 'reboot', 'off'] as const
type Fault = (typeof faults)[number]

/** What the program of the live system writes, and the outcome. */
const expected: Record<Fault, { log: string; state: string; reason: RegExp | undefined }> = {
  none: { log: 'Completed: 100.00%, Rate: 6.00GB/min\nCloned successfully.\n', state: 'success', reason: undefined },
  'tool error': {
    log: 'Completed: 31.00%\npartclone: write block error: Input/output error\n',
    state: 'failure',
    reason: /error/,
  },
  'half a stream': { log: 'Completed: 47.30%\n', state: 'failure', reason: /47\.3/ },
  'repository full': { log: 'cp: error writing: No space left on device\n', state: 'failure', reason: /No space left/ },
  reboot: { log: '', state: 'failure', reason: /connection lost/ },
  off: { log: '', state: 'skipped', reason: /not connected/ },
}

interface FaultOptions {
  seed: number
  clients: number
  slots: number
  /** The first two numbers of the addresses. */
  network: string
}

interface Client {
  addr: string
  log: LogServer
  fault: Fault
  agent: Agent | undefined
}

/** Milliseconds of a copy. */
const shortest = 5
const longest = 60

/** Resolves to how many clients had the image at once, and how many after a retry. */
async function runFaultLab(options: FaultOptions): Promise<{ succeeded: number; failed: number }> {
  const port = await freePort()
  const host = await startTestHost({ options: { images: { log: { port, period_seconds: 1 } } } })
  const lab = new FaultLab(host, options.seed)
  try {
    await addRepository(host, options.slots)
    await lab.addClients(options, port)
    const failed = await lab.restoreWithFaults(options.slots)
    lab.running.most = 0
    lab.least = Math.min(options.slots, options.clients)
    check(lab.clients, await lab.restore())
    is(lab.running.most, lab.least, 'all slots are free')
    return { succeeded: options.clients - failed, failed }
  } finally {
    for (const { agent } of lab.clients) agent?.destroy()
    await host.stop()
    await Promise.all(lab.clients.map(({ log }) => log.close()))
  }
}

class FaultLab {
  readonly clients: Client[] = []
  /** Copies that run, and the most at one time. */
  readonly running = { now: 0, most: 0 }
  /** No copy ends before so many have run at one time. */
  least = 0
  readonly #host: TestHost
  readonly #jobs: JobResults
  readonly #random: () => number

  constructor(host: TestHost, seed: number) {
    this.#host = host
    this.#jobs = followJobs(host)
    this.#random = createRandom(seed)
  }

  async addClients({ clients: count, network }: FaultOptions, port: number): Promise<void> {
    for (let index = 0; index < count; index += 1) {
      const addr = `${network}.${Math.floor(index / 200)}.${(index % 200) + 1}`
      const fault = faults[Math.floor(this.#random() * faults.length)] ?? 'none'
      const client: Client = { addr, fault, log: await serveLog(addr, port), agent: undefined }
      this.clients.push(client)
      await this.#host.addComputer(addr)
      if (fault !== 'off') await this.#connect(client)
    }
  }

  /** Resolves to the number of clients that have the image only after a retry, when everybody is well again. */
  async restoreWithFaults(slots: number): Promise<number> {
    const job = await this.#send()
    check(this.clients, await this.#jobs.finished(job))
    ok(this.running.most <= slots, `${this.running.most} of ${slots} slots`)
    const failed = this.clients.filter(({ fault }) => fault !== 'none')
    for (const client of failed) {
      const mustConnect = client.fault === 'off' || client.fault === 'reboot'
      client.fault = 'none'
      if (mustConnect) await this.#connect(client)
    }
    if (failed.length === 0) return 0
    const parts = await this.#jobs.finished(await retry(this.#host, job))
    equal(parts.map(({ client }) => client).sort(), failed.map(({ addr }) => addr).sort())
    check(this.clients, parts)
    return failed.length
  }

  async restore(): Promise<PartJson[]> {
    return this.#jobs.finished(await this.#send())
  }

  async #send(): Promise<number> {
    const clients = this.clients.map(({ addr }) => addr)
    return jobIdOf(await this.#host.call('POST /image/restore', { clients, ...restorePayload }))
  }

  async #connect(client: Client): Promise<void> {
    const { host, event } = this.#host
    const refreshed = event('command-ended', { addr: client.addr, command: 'refresh' })
    const auto = {
      '/refresh': { status: 200, body: layout },
      '/run/schedule': { status: 200 },
      '/image/restore': () => void this.#copy(client),
    }
    client.agent = await connectAgent({ port: host.ports.agents, addr: client.addr, auto, keep: false })
    await refreshed
  }

  async #copy({ log, fault, agent }: Client): Promise<void> {
    const { running } = this
    running.now += 1
    running.most = Math.max(running.most, running.now)
    // What the log has when it is read the first time is of an earlier command.
    await log.answered(log.requests + 1)
    await new Promise(resolve => setTimeout(resolve, shortest + this.#random() * longest))
    await pollUntil(() => running.most >= this.least)
    running.now -= 1
    if (fault === 'reboot') return void agent?.destroy()
    log.text += expected[fault].log
    agent?.reply(restoreReply)
  }
}

async function addRepository(host: TestHost, slots: number): Promise<void> {
  await host.call('POST /repository/add', { name: 'images', ip: '10.1.1.1' })
  const { status } = await host.call('POST /repository/update', { repository: 2, slots })
  is(status, 200, host.log.at(-1))
}

async function retry(host: TestHost, job: number): Promise<number> {
  const response = await host.call('POST /job/retry', { id: String(job) })
  is(response.status, 200, host.log.at(-1))
  return jobIdOf(response)
}

function check(clients: Client[], parts: PartJson[]): void {
  const byAddr = new Map(clients.map(client => [client.addr, client]))
  for (const { client, state, reason = '' } of parts) {
    const fault = byAddr.get(client)?.fault ?? 'none'
    const outcome = expected[fault]
    is(state, outcome.state, `${client}: ${fault}: ${state} ${reason}`)
    if (outcome.reason) match(reason, outcome.reason)
    else is(reason, '', `${client}: ${reason}`)
  }
}

const test = suite('faults of restores')

test('every outcome is right and has its reason, a retry finishes the rest, and no slot is lost', async () => {
  const clients = 16
  const { succeeded = 0, failed = 0 } = await runFaultLab({ seed: 7, clients, slots: 3, network: '127.81' })
  is(succeeded + failed, clients)
})

test.run()
