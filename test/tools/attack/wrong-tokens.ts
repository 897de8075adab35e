// Callers of 50 addresses guess tokens while callers with right ones go on: these must hardly notice it.
import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { token } from '../../harness/rest-call.ts'
import { startChild } from '../bench/processes/child-process.ts'
import type { Attack, Target } from './attack.ts'
import { setNormalPriority } from './priority.ts'
import type { RightCallersProcess, RightResponses } from './right-callers.ts'
import { waitOf } from './target-daemon.ts'

const guesses = 100_000
const addresses = 50
const rightCallers = 8
/** Guesses of one address in a second: 2,500 of all. */
const rate = 50
/** Milliseconds that the right callers are measured before. */
const timeBefore = 10_000
/** The share of the time that the daemon may wait for a processor: above it the machine is too busy to judge times. */
const waitedBound = 0.1
/** Minutes that begin while the attack goes on. */
const minutes = 2
/** Records in the audit log of one address within a minute: the first five, and one that counts the others. */
const recordsPerMinute = 6

const addressAt = (index: number) => `127.67.0.${index + 1}`

/** Each kind of credentials that can be wrong. */
function credentials(index: number, id: string): string {
  const secret = randomBytes(32).toString('base64url')
  const named = `fh_${id}_${secret}`
  const base64 = Buffer.from(`admin:${secret}`).toString('base64')
  const kinds = [
    `Authorization: ${secret}`,
    `Authorization: ${named}`,
    `Authorization: Bearer ${named}`,
    `Authorization: Basic ${base64}`,
    `Cookie: fleet_session=${secret}`,
  ]
  return kinds[index % kinds.length] ?? ''
}

/** Reads and writes: only writes are in the audit log. */
function guess(index: number, id: string): string {
  const [line, body] = index % 3 === 0 ? ['POST /poweroff', '{"clients":["127.60.0.1"]}'] : ['GET /clients', '']
  return `${line} HTTP/1.1\r\nHost: 127.0.0.1\r\n${credentials(index, id)}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

interface Counts {
  sent: number
  refused: number
  /** First lines of responses that are not 401. */
  others: Set<string>
}

/** Sends the guesses of one address at a fixed rate, each on the same connection as long as that is open. */
async function guessFrom(target: Target, address: number, id: string, counts: Counts): Promise<void> {
  const addr = addressAt(address)
  let socket: Socket | undefined
  const began = performance.now()
  for (let round = 0; round < guesses / addresses && !target.isOver(); round += 1) {
    await wait(Math.max(0, began + (1000 * round) / rate - performance.now()))
    if (!socket?.writable) socket = await openCounted(target, addr, counts)
    counts.sent += 1
    socket.write(guess(address + round, id))
  }
  await wait(500)
  socket?.destroy()
}

async function openCounted(target: Target, addr: string, counts: Counts): Promise<Socket> {
  const socket = await target.caller(addr)
  return socket.setEncoding('latin1').on('data', (text: string) => {
    for (const [line] of text.matchAll(/HTTP\/1\.1 \d+/g)) {
      if (line === 'HTTP/1.1 401') counts.refused += 1
      else counts.others.add(line)
    }
  })
}

/** Collects the events from now on. */
async function readEvents(target: Target): Promise<() => number> {
  const socket = await target.caller('127.0.0.1')
  let text = ''
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk
  })
  socket.write(`GET /events?type=auth-failed HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: ${token}\r\n\r\n`)
  return () => text.match(/^event: auth-failed$/gm)?.length ?? 0
}

/** Returns the share of the time from now on that the daemon waits for a processor. */
function startWaited({ pid }: Target): () => number {
  const [began, before] = [performance.now(), waitOf(pid)]
  return () => (waitOf(pid) - before) / (performance.now() - began)
}

const countRecords = async (target: Target): Promise<number> =>
  (await target.call('GET /audit?route=/poweroff&limit=1000')).json.audit.length

const failures = async (target: Target) =>
  Number(/^fleet_auth_failures_total (\d+)$/m.exec((await target.call('GET /metrics')).text)?.[1])

export default {
  name: 'wrong-tokens',
  summary: '100,000 wrong tokens from 50 addresses while 8 callers have right ones',
  seconds: 75,
  bounds: { log: 1_000_000 },
  async run(target) {
    const { id, token: named } = (await target.call('POST /token/add', { name: 'right', role: 'read' })).json
    const tokens = Array.from({ length: rightCallers }, (_, index) => (index % 2 === 0 ? token : named))
    const right = startChild<RightCallersProcess>(new URL('./right-callers.ts', import.meta.url).href)
    setNormalPriority(right.pid)
    const counts: Counts = { sent: 0, refused: 0, others: new Set() }
    try {
      await right.ask('start', { port: target.ports.rest, tokens, addr: target.fleet[0] ?? '' })
      // The first responses are slow, as the code is not compiled yet.
      await wait(timeBefore)
      await right.ask('report')
      const quiet = startWaited(target)
      await wait(timeBefore)
      const waitedBefore = quiet()
      const before = await right.ask('report')
      const [failuresBefore, events] = [await failures(target), await readEvents(target)]
      const [began, waited] = [performance.now(), startWaited(target)]
      const workers = Array.from({ length: addresses }, (_, index) => guessFrom(target, index, String(id), counts))
      await Promise.all(workers)
      const during = await right.ask('report')
      const seconds = (performance.now() - began) / 1000
      const isJudged = Math.max(waitedBefore, waited()) <= waitedBound
      const counted = (await failures(target)) - failuresBefore
      const lines = target.log().match(/from 127\.67\..*401/g)?.length ?? 0
      const found = { ...counts, counted, lines, records: await countRecords(target), events: events() }
      return {
        figures: describe(found, before, during, seconds, isJudged),
        problems: problemsOf(found, before, during, isJudged),
      }
    } finally {
      await right.stop()
    }
  },
} satisfies Attack

interface Found extends Counts {
  /** By the metric. */
  counted: number
  lines: number
  records: number
  events: number
}

function describe(found: Found, before: RightResponses, during: RightResponses, seconds: number, isJudged: boolean) {
  const { sent, lines, records, events } = found
  const times = `p99 of ${during.count} right ones ${during.p99.toFixed(1)} ms, before ${before.p99.toFixed(1)} ms`
  const judged = isJudged ? '' : ' (not judged)'
  const left = `${lines} log lines, ${records} audit records, ${events} events`
  return `${sent} wrong tokens in ${seconds.toFixed(0)} s, ${times}${judged}, ${left}`
}

function problemsOf(found: Found, before: RightResponses, during: RightResponses, isJudged: boolean): string[] {
  const { sent, refused, others, counted, lines, records, events } = found
  const reports = minutes * addresses
  const maxRecords = reports * recordsPerMinute
  return [
    ...(isJudged && sent < guesses ? [`only ${sent} wrong tokens were sent`] : []),
    ...(refused === sent && others.size === 0 ? [] : [`${refused} of ${sent} were 401, others: ${[...others]}`]),
    ...(counted === sent ? [] : [`the metric counts ${counted} of ${sent}`]),
    ...(isJudged && during.p99 >= 2 * before.p99 ? ['the p99 of right callers has doubled'] : []),
    ...(before.failed + during.failed > 0 ? [`${before.failed + during.failed} right callers were refused`] : []),
    ...(lines > reports ? [`${lines} log lines, expected at most ${reports}`] : []),
    ...(events > reports || events === 0 ? [`${events} events, expected 1 to ${reports}`] : []),
    ...(records > maxRecords || records === 0 ? [`${records} audit records, expected 1 to ${maxRecords}`] : []),
  ]
}
