// Attacks of agents: they connect, report and log in without end.
import { setTimeout as wait } from 'node:timers/promises'
import { message } from '../../../../host/test-kit/agent-http.ts'
import { token } from '../../../harness/rest-call.ts'
import type { Attack } from '../attack.ts'
import {
  clientOf,
  connectClient,
  connectMany,
  flood,
  happens,
  megabytes,
  repeat,
  strangerAt,
  textUntil,
  untilOver,
} from '../peers.ts'

const session = (action: string, user = 'u') => message(103, { event: 'session', action, user })

const eventsPerWrite = 1_000
const eventBlock = (session('start') + session('stop')).repeat(eventsPerWrite / 2)

const blankReply = `HTTP/1.0 200 OK\r\nX: a${' '.repeat(8_000)}b\r\n\r\n`

const inventedRows = 1_100
const closeTimeout = 500 // ms
const eventTime = 5_000 // ms

/** Milliseconds of a pause, more than the time limits of a request and of a probe. */
const pause = 11_000
const responseTime = 3_000 // ms

export const agentAttacks: Attack[] = [
  {
    name: 'login-events',
    summary: 'an agent without a record reports logins with names of 130 kB',
    seconds: 8,
    async run(target) {
      const socket = await target.agent(strangerAt(1))
      let count = 0
      const bytes = await flood(socket, target, () => {
        count += 1
        return session(count % 2 === 0 ? 'stop' : 'start', `${count}${'x'.repeat(130_000)}`)
      })
      return { figures: `${count} events, ${megabytes(bytes)}` }
    },
  },
  {
    name: 'invented-names',
    summary: 'agents report 1,100 new names of filesystems and operating systems on each connection',
    seconds: 5,
    bounds: { data: 10_000_000 },
    async run(target) {
      let names = 0
      const connections = await repeat(target, 4, async worker => {
        const hasRecord = worker === 0
        const partition_setup = Array.from({ length: inventedRows }, () => {
          names += 1
          const name = `N${worker}-${names}`
          const sizes = { size: '9', used_size: '0' }
          return { disk: '1', partition: '1', code: '83', filesystem: name, os: hasRecord ? name : '', ...sizes }
        })
        const socket = await target.agent((hasRecord && target.absent[0]) || strangerAt(worker))
        await textUntil(socket, '/refresh', closeTimeout)
        socket.end(message(200, { partition_setup, disk_setup: [], serial_number: '', link: 1000 }))
        if (!(await happens(socket, closeTimeout, 'close'))) socket.destroy()
      })
      return { figures: `${names} names on ${connections} connections` }
    },
  },
  {
    name: 'event-flood',
    summary: 'an agent of a computer reports logins and logouts without a pause',
    seconds: 4,
    cheap: true,
    async run(target) {
      const socket = await target.agent(target.absent[0] ?? '')
      const bytes = await flood(socket, target, () => eventBlock)
      return { figures: `${Math.floor((bytes - socket.writableLength) / eventBlock.length) * eventsPerWrite} events` }
    },
  },
  {
    name: 'unknown-agents',
    summary: '5,000 agents without a record connect and stay',
    seconds: 5,
    bounds: { log: 2_000_000 },
    async run(target) {
      const sockets = await connectMany(target.agent, 5_000)
      for (const socket of sockets) socket.resume()
      const addr = target.absent[0] ?? ''
      await target.agent(addr)
      await wait(500)
      const isListed = (await clientOf(target.call, addr)) !== undefined
      await untilOver(target)
      const closed = sockets.filter(({ destroyed }) => destroyed).length
      return { figures: `${closed} closed`, problems: [!isListed && 'a computer with a record is not listed'] }
    },
  },
  {
    name: 'refused-agents',
    summary: 'agents that agents.allow refuses, and one agent of a computer, connect again and again',
    seconds: 4,
    daemon: { options: { agents: { allow: 'known' } } },
    bounds: { log: 200_000 },
    async run(target) {
      const workers = 16
      let open = 0
      const refused = repeat(target, workers, async (worker, round) => {
        const socket = await target.agent(strangerAt((round * workers + worker) % 5_000))
        if (!(await happens(socket.resume(), eventTime, 'close'))) open += 1
      })
      const replaced = repeat(target, 1, async () => {
        const socket = await target.agent(target.absent[0] ?? '')
        // It gets its first request, or is refused.
        await happens(socket.resume(), eventTime, 'data', 'close')
      })
      const [connections, reconnects] = await Promise.all([refused, replaced])
      const problems = [open > 0 && `${open} connections of refused addresses stay open`]
      return { figures: `${connections} refused, ${reconnects} of one computer`, problems }
    },
  },
  {
    name: 'blank-header',
    summary: 'agents without a record send headers of 8,000 blanks',
    seconds: 3,
    cheap: true,
    async run(target) {
      let bytes = 0
      await repeat(target, 8, async worker => {
        const socket = await target.agent(strangerAt(worker))
        bytes += await flood(socket, target, () => blankReply)
      })
      return { figures: megabytes(bytes) }
    },
  },
  {
    name: 'paused-process',
    summary: 'the process stands still for 11 s while a caller and an agent send in time',
    seconds: 15,
    // The observer sends one command each 100 ms, and a command that waited for most of the pause is late.
    bounds: { p99: Number.POSITIVE_INFINITY, missed: (pause - responseTime) / 100 },
    async run(target) {
      const addr = target.absent[0] ?? ''
      const agent = await connectClient(target, addr)
      const probed = textUntil(agent, '/probe', responseTime)
      await target.call('POST /clients', { clients: [addr] })
      await probed
      const caller = await target.caller('127.0.0.1')
      process.kill(target.pid, 'SIGSTOP')
      const response = textUntil(caller, 'HTTP/1.1 ', pause + responseTime)
      caller.write(`GET /scopes HTTP/1.1\r\nHost: x\r\nAuthorization: ${token}\r\n\r\n`)
      agent.write(message(200, { status: 'OPG' }))
      await wait(pause)
      process.kill(target.pid, 'SIGCONT')
      const status = (await response).slice(9, 12)
      const result = (await clientOf(target.call, addr))?.last_cmd.result
      return {
        figures: `response ${status}, probe ${result}`,
        problems: [
          status !== '200' && `a caller that waited got ${status || 'no response'}`,
          result !== 'success' && `a reply that came in time is a ${result}`,
        ],
      }
    },
  },
]
