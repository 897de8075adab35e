// Runs one attack against a daemon of its own and measures what its well-behaved callers and agents notice.
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { call, token } from '../../harness/rest-call.ts'
import { type Child, startChild } from '../bench/processes/child-process.ts'
import { cpuOf } from '../bench/processes/process-usage.ts'
import type { Attack, Findings, MeasureOptions, Target } from './attack.ts'
import { boundProblems, type Measurement, timesOf } from './attack-report.ts'
import { absent, addComputers, fleet, inTime, untilRefreshed } from './attack-setup.ts'
import { type AttackTime, startAttackTime } from './attack-time.ts'
import type { Observer } from './observer.ts'
import {
  sizeOf,
  startTargetDaemon,
  startWaited,
  type TargetDaemon,
  waitedBound,
  withLowPriority,
} from './target-daemon.ts'

/** Milliseconds: before the attack, and of one observation after it. */
const warmUpTime = 1000
const windowTime = 1000
/** Milliseconds that an attack may take longer than its time, in which it waits for responses. */
const graceTime = 35_000
/** Milliseconds for a number of messages. */
const countTime = 3600_000
/** The share of one processor that the daemon may need for the well-behaved callers after the attack. */
const busyShare = 0.7

export async function measure(attack: Attack, options: MeasureOptions): Promise<Measurement> {
  const folder = mkdtempSync(join(tmpdir(), 'attack-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', remove)
  const observer = startChild<Observer>(new URL('./observer.ts', import.meta.url).href)
  let daemon: TargetDaemon | undefined
  try {
    daemon = await startTargetDaemon(options.tree, folder, attack.daemon)
    return await new AttackRun(attack, options, folder, daemon, observer).measure()
  } finally {
    await observer.stop()
    await daemon?.stop()
    if (daemon && options.logs !== undefined) copyFileSync(daemon.logFile, join(options.logs, `${attack.name}.log`))
    process.off('exit', remove)
    remove()
  }
}

class AttackRun {
  readonly #attack: Attack
  readonly #options: MeasureOptions
  readonly #folder: string
  readonly #daemon: TargetDaemon
  readonly #observer: Child<Observer>
  readonly #sockets = new Set<Socket>()
  readonly #problems: string[] = []
  #time: AttackTime | undefined
  /** Whether response times are judged. */
  #isStrict: boolean

  constructor(
    attack: Attack,
    options: MeasureOptions,
    folder: string,
    daemon: TargetDaemon,
    observer: Child<Observer>,
  ) {
    this.#attack = attack
    this.#options = options
    this.#isStrict = options.isStrict !== false
    this.#folder = folder
    this.#daemon = daemon
    this.#observer = observer
  }

  async measure(): Promise<Measurement> {
    const observer = this.#observer
    const target = this.#target()
    await addComputers(target)
    await observer.ask('connect', { ports: target.ports, fleet })
    await untilRefreshed(target)
    const { patience } = timesOf(this.#isStrict)
    await observer.ask('start', { ports: target.ports, fleet, patience })
    await wait(warmUpTime)
    const [logBefore, dataBefore] = [this.#logBytes(), sizeOf(join(this.#folder, 'data'))]
    await observer.ask('report')
    this.#daemon.breakLog()
    const waitedOf = startWaited(target.pid)
    const findings = await withLowPriority(() => this.#runAttack(target))
    const observed = await observer.ask('report')
    const waited = waitedOf()
    if (waited > waitedBound) this.#isStrict = false
    const recovery = await this.#recover()
    const acknowledged = await observer.ask('acknowledged')
    const [log, data] = [this.#logBytes() - logBefore, sizeOf(join(this.#folder, 'data')) - dataBefore]
    const memory = this.#daemon.peakMemory()
    const lost = await this.#countLost(acknowledged)
    const bounds = boundProblems({ observed, memory, log, data }, this.#attack.bounds ?? {}, this.#isStrict)
    const problemsOf = [...(findings.problems ?? []), ...(bounds ?? []), this.#uncaught()]
    this.#problems.push(...problemsOf.flatMap(problem => problem || []))
    if (lost > 0) this.#problems.push(`${lost} of ${acknowledged.length} acknowledged computers are lost`)
    const problems = this.#problems
    return {
      findings,
      observed,
      waited,
      isJudged: this.#isStrict,
      recovery,
      memory,
      log,
      data,
      acknowledged: acknowledged.length,
      lost,
      problems,
    }
  }

  #target(): Target {
    const { ports, pid, logFile } = this.#daemon
    const open = async (port: number, localAddress: string) => {
      const socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true })
      this.#sockets.add(socket)
      socket.on('close', () => this.#sockets.delete(socket))
      await new Promise<void>(resolve => {
        socket.on('error', () => resolve())
        socket.once('connect', resolve)
      })
      return socket
    }
    return {
      pid,
      ports,
      folder: this.#folder,
      tree: this.#options.tree,
      absent,
      count: this.#options.count,
      seed: this.#options.seed ?? 1,
      progressed: () => this.#time?.progressed(),
      isOver: () => this.#time?.isOver() === true || this.#daemon.ending() !== undefined,
      call: (route, payload, headers) =>
        inTime(route, call(ports.rest, route, payload, { Authorization: token, ...headers })),
      agent: addr => open(ports.agents, addr),
      caller: addr => open(ports.rest, addr),
      log: () => readFileSync(logFile, 'latin1'),
    }
  }

  async #runAttack(target: Target): Promise<Findings> {
    const time = this.#options.count === undefined ? this.#attack.seconds * 1000 : countTime
    this.#time = startAttackTime(time, graceTime)
    const tooLong = this.#time.exceeded.then(() => ({ figures: '', problems: ['the attack did not end'] }))
    // An attack that cannot go on, such as a call that is not answered, is a finding too.
    const stopped = (error: unknown) => ({ figures: '', problems: [`the attack stopped: ${String(error)}`] })
    const findings = await Promise.race([this.#attack.run(target).catch(stopped), tooLong])
    this.#time.stop()
    for (const socket of this.#sockets) socket.destroy()
    return findings
  }

  /** Seconds after which a window of time begins in which all is well; undefined when there is none in time. */
  async #recover(): Promise<number | undefined> {
    const { p99, recovery } = timesOf(this.#isStrict)
    const began = performance.now()
    const { pid, ending } = this.#daemon
    let last = ''
    for (let since = 0; since <= recovery && ending() === undefined; since = performance.now() - began) {
      const cpu = await cpuOf(pid)
      await this.#observer.ask('report')
      await wait(windowTime)
      const seen = await this.#observer.ask('report')
      if (ending() !== undefined) break
      const share = ((await cpuOf(pid)) - cpu) / windowTime
      const isBusy = this.#isStrict && share > busyShare
      if (seen.p99 < p99 && seen.failed + seen.missed + seen.dropped === 0 && !isBusy) return since / 1000
      const { failed, missed, dropped } = seen
      last = `p99 ${Math.round(seen.p99)} ms, ${failed} failed, ${missed} missed, ${dropped} dropped`
    }
    const end = ending()
    this.#problems.push(
      end === undefined ? `not all is well after ${recovery / 1000} s: ${last}` : `the daemon has ended: ${end}`,
    )
    return undefined
  }

  /** Stops the daemon, starts it again on the same data, and counts the acknowledged computers that are missing. */
  async #countLost(acknowledged: string[]): Promise<number> {
    await this.#observer.ask('leave')
    const stopTime = await this.#daemon.stop()
    if (stopTime === undefined) this.#problems.push('SIGTERM did not end the daemon')
    const start = { ...this.#attack.daemon, log: 'file' } as const
    const again = await startTargetDaemon(this.#options.tree, this.#folder, start).catch(String)
    if (typeof again === 'string') {
      this.#problems.push(`after the attack: ${again}`)
      return acknowledged.length
    }
    try {
      const { text } = await call(again.ports.rest, 'GET /client/export')
      const stored = new Set(text.split('\r\n').map(line => line.split(',')[1]))
      return acknowledged.filter(ip => !stored.has(ip)).length
    } finally {
      await again.stop()
    }
  }

  #uncaught(): string | false {
    const log = readFileSync(this.#daemon.logFile, 'latin1')
    const lines = log.match(/(?:uncaught exception|unhandled rejection).*/g) ?? []
    return lines.length > 0 && `${lines.length} uncaught exceptions: ${lines[0]}`
  }

  #logBytes(): number {
    return statSync(this.#daemon.logFile).size
  }
}
