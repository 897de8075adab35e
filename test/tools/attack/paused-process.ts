// The daemon's process is stopped for a while, as on a machine that runs out of memory, and then goes on.
import { setTimeout as wait } from 'node:timers/promises'
import { token } from '../../harness/rest-call.ts'
import type { Attack } from './attack.ts'
import { textUntil } from './peers.ts'

const pause = 11_000 // ms, more than the time limits of a request and of a probe
const responseTime = 3_000 // ms
/** The observer sends one command each 100 ms, and a command that waited for most of the pause is late. */
const lateCommands = (pause - responseTime) / 100

export default {
  name: 'paused-process',
  summary: 'the process stands still for 11 s while a caller and an agent send in time',
  seconds: 15,
  bounds: { p99: Number.POSITIVE_INFINITY, missed: lateCommands },
  async run(target) {
    const addr = target.absent[0] ?? ''
    const agent = await target.agent(addr)
    await textUntil(agent, '/refresh', responseTime)
    agent.write('HTTP/1.0 200 OK\r\n\r\n')
    await wait(200)
    const probed = textUntil(agent, '/probe', responseTime)
    await target.call('POST /clients', { clients: [addr] })
    await probed
    const caller = await target.caller('127.0.0.1')
    process.kill(target.pid, 'SIGSTOP')
    const response = textUntil(caller, 'HTTP/1.1 ', pause + responseTime)
    caller.write(`GET /scopes HTTP/1.1\r\nHost: x\r\nAuthorization: ${token}\r\n\r\n`)
    agent.write('HTTP/1.0 200 OK\r\nContent-Length: 16\r\n\r\n{"status":"OPG"}')
    await wait(pause)
    process.kill(target.pid, 'SIGCONT')
    const status = (await response).slice(9, 12)
    const { json } = await target.call('GET /clients')
    const entry = json.clients.find((client: { addr: string }) => client.addr === addr)
    const result: unknown = entry?.last_cmd.result
    const problems = [
      ...(status === '200' ? [] : [`a caller that waited got ${status || 'no response'}`]),
      ...(result === 'success' ? [] : [`a reply that came in time is a ${result}`]),
    ]
    return { figures: `response ${status}, probe ${result}`, problems }
  },
} satisfies Attack
