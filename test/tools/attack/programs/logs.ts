// Attacks on the log and on the descriptors of the daemon.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Attack, DaemonStart, Target } from '../attack.ts'
import { connectMany, flood, megabytes, repeat, strangerAt, textUntil, untilOver } from '../peers.ts'

/** Each is worth a log line. */
const loggedTexts = [
  'HTTP/1.0 200 OK\r\n\r\n'.repeat(2_000),
  'HTTP/1.0 103 Early Hints\r\nContent-Length: 80\r\n\r\n'.concat('x'.repeat(80)).repeat(500),
  'SSH-2.0-OpenSSH_9.2 and more of what is no HTTP\r\n',
  'GET /clients HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
]

const loadTime = 15_000 // ms
const responseTime = 500 // ms

/** Requests without a token, each of which is logged with its path: they fill the buffers of a pipe soon. */
async function causeLogLines(target: Target): Promise<{ figures: string }> {
  const sockets = await connectMany(target.caller, 8)
  let responses = 0
  await repeat(target, sockets.length, async (caller, round) => {
    const socket = sockets[caller]
    const response = socket && textUntil(socket, '\r\n\r\n', responseTime)
    socket?.write(`GET /clients${round}${'x'.repeat(4_000)} HTTP/1.1\r\nHost: x\r\n\r\n`)
    if ((await response)?.includes('401')) responses += 1
    // A daemon that has closed the connection must not be asked in a loop without a pause.
    else await wait(responseTime)
  })
  return { figures: `${responses} refused requests` }
}

const brokenLog = (log: NonNullable<DaemonStart['log']>, when: string): Attack => ({
  name: `log-${log.replace(' ', '-')}`,
  summary: `lines for the log while ${when}`,
  seconds: 3,
  ...(log === 'closed pipe' && { cheap: true }),
  daemon: { log },
  run: causeLogLines,
})

export const logAttacks: Attack[] = [
  {
    name: 'no-descriptors',
    summary: '600 agents without a record at a limit of 256 descriptors, and a command file is saved',
    seconds: 4,
    cheap: true,
    daemon: { descriptors: 256, options: { commands: ['./site'] } },
    async run(target) {
      mkdirSync(join(target.folder, 'site'), { recursive: true })
      save(target, 1)
      const isLoadedBefore = await isLoaded(target, 1)
      const sockets = await connectMany(target.agent, 600, { atOnce: 600 })
      for (const socket of sockets) socket.resume()
      await wait(500)
      save(target, 2)
      await untilOver(target)
      const readiness = await target.call('GET /readyz').then(
        ({ status }) => status,
        () => 0,
      )
      const open = sockets.filter(({ destroyed }) => !destroyed).length
      for (const socket of sockets) socket.destroy()
      return {
        figures: `${open} connections open at the end, /readyz ${readiness}`,
        problems: [
          !isLoadedBefore && 'the command is not in service before the attack',
          readiness === 0 && 'a new caller gets no response during the attack',
          !(await isLoaded(target, 2)) && 'the saved command is not in service after the attack',
        ],
      }
    },
  },
  {
    name: 'log-flood',
    summary: 'replies that nobody has asked for, broken replies, and requests without a token',
    seconds: 4,
    bounds: { log: 1_000_000 },
    async run(target) {
      let bytes = 0
      const connections = await repeat(target, loggedTexts.length, async worker => {
        const text = loggedTexts[worker] ?? ''
        const socket = await (text.startsWith('GET') ? target.caller : target.agent)(strangerAt(worker))
        bytes += await flood(socket, target, () => text)
        socket.destroy()
      })
      return { figures: `${megabytes(bytes)} on ${connections} connections` }
    },
  },
  brokenLog('closed pipe', 'a program that reads the log has ended'),
  brokenLog('unread pipe', 'a program that should read the log does not'),
  brokenLog('full disk', 'the log lies on a full disk'),
]

function save({ folder }: Target, version: number): void {
  const text = `export default { summary: 'Saved', route: 'GET /saved', answer: () => ({ version: ${version} }) }\n`
  writeFileSync(join(folder, 'site/saved.ts'), text)
}

async function isLoaded({ call }: Target, version: number): Promise<boolean> {
  for (const until = performance.now() + loadTime; performance.now() < until; await wait(100)) {
    const response = await call('GET /saved').catch(() => undefined)
    if (response?.json?.version === version) return true
  }
  return false
}
