// A computer with Linux under test, with one of two programs: the simulated agent or the agent for Linux.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import type { Agent, ReplyTable } from '../../host/test-kit/simulated-agent.ts'
import { field, text } from '../tools/simulator/fields.ts'
import { startLinuxAgent } from './linux-agent.ts'
import type { LinuxFixture } from './linux-fixture.ts'
import { pollUntil } from './poll.ts'
import type { TestHost } from './test-host.ts'

interface TestedSystem {
  name: string
  /** The status in `GET /clients`. */
  status: string
  newline: string
  /** What follows the status of a refusal. */
  refusal: string
}

const linux = { name: 'Linux', status: 'linux', newline: '\n', refusal: '' }

export interface TestedComputer {
  lab: TestHost
  addr: string
  system: TestedSystem
  /** Starts the program and resolves when the daemon has its first refresh. */
  start(): Promise<void>
  /** Ends the program as a power cut does. */
  crash(): Promise<void>
  login(user: string): void
  logout(): void
  /** A script that runs for ten minutes, and is the subject of `sleeps`. */
  sleepScript: string
  /** Call it when the deadline of that script has passed at the daemon, whose next request the program refuses. */
  setOverdue(): void
  /** Resolves when that script runs, to the ids of the processes that it has started: none for the simulated agent. */
  sleeps(): Promise<number[]>
}

export function simulatedComputer(lab: TestHost, addr: string): TestedComputer {
  const sleepScript = 'sleep 600'
  let agent: Agent | undefined
  let isOverdue = false
  const auto: ReplyTable = {
    '/refresh': { status: 200, body: { status: 'LINUX' } },
    '/probe': { status: 200, body: { status: 'LINUX', speed: 2500 } },
    '/shell/run': ({ body }) => {
      if (isOverdue) return { status: 503 }
      const script = text(body, 'run')
      if (script === sleepScript) return undefined
      return { status: 200, body: field(body, 'echo') === true ? { out: `${script.replace('echo ', '')}\n` } : {} }
    },
    '/stop': () => {
      isOverdue = false
      agent?.answer(500)
      return undefined
    },
    '/hardware': { status: 200, body: { hardware: 'boo=BIOS' } },
    '/software': { status: 200, body: { software: 'Debian GNU/Linux 12 (bookworm)\napt 2.6.1', partition: '2' } },
    '/run/schedule': { status: 200 },
    '/poweroff': () => shutDown(),
    '/reboot': () => shutDown(),
    '*': { status: 400 },
  }
  function shutDown(): undefined {
    agent?.answer(202)
    void agent?.close()
  }
  return {
    lab,
    addr,
    system: linux,
    async start() {
      const refreshed = lab.event('command-ended', { addr, command: 'refresh' })
      agent = await lab.agent(addr, { auto })
      await refreshed
    },
    async crash() {
      agent?.destroy()
    },
    login: user => agent?.event('start', user),
    logout: () => agent?.event('stop', 'ana'),
    sleepScript,
    setOverdue() {
      isOverdue = true
      agent?.clearMissingReplies()
    },
    async sleeps() {
      await pollUntil(() => agent?.requests.at(-1)?.path === '/shell/run')
      return []
    },
  }
}

export function realComputer(lab: TestHost, addr: string, fixture: LinuxFixture): TestedComputer {
  // The outer shell is replaced by the one of the script, so the parent is the agent.
  const more = { 'poweroff-command': 'kill -9 $PPID', 'reboot-command': 'kill -9 $PPID' }
  const record = fixture.record('sleep')
  let program: ReturnType<typeof startLinuxAgent> | undefined
  return {
    lab,
    addr,
    system: linux,
    async start() {
      const refreshed = lab.event('command-ended', { addr, command: 'refresh' })
      program = startLinuxAgent({ port: lab.host.ports.agents, addr, fixture, more })
      await refreshed
    },
    async crash() {
      program?.kill('SIGKILL')
      await program?.ended
    },
    login: user => fixture.login('1', user),
    logout: () => fixture.logout('1'),
    sleepScript: `sleep 600 & echo $! > ${record}; wait`,
    setOverdue() {},
    async sleeps() {
      await pollUntil(() => existsSync(record) && readFileSync(record, 'utf8').endsWith('\n'))
      const pid = Number(readFileSync(record, 'utf8'))
      rmSync(record)
      return [pid]
    },
  }
}
