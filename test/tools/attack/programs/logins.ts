// Attacks by guesses: of tokens, and of passwords, while others have the right ones and must hardly notice it.
import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { token as apiToken } from '../../../harness/rest-call.ts'
import { startChild } from '../../bench/processes/child-process.ts'
import type { Attack, Target } from '../attack.ts'
import { textUntil } from '../peers.ts'
import type { RightCallers } from '../right-callers.ts'
import { setNormalPriority, startWaited, waitedBound } from '../target-daemon.ts'

const [name, password] = ['admin', 'the right password of hers']
const attackerAt = (index: number) => `127.67.0.${index + 1}`

const lockout: Attack = {
  name: 'login-lockout',
  summary: 'wrong passwords from one address and from 20 at once while the administrator logs in with the right one',
  seconds: 60,
  async run(target) {
    await target.call('POST /user/add', { name, password, role: 'admin' })
    const guess = (addr: string, user: string) => logIn(target, addr, { name: user, password: 'wrong' })
    const refused: [string, number][] = []
    /** Right logins that must be served. */
    const logInRight = async (where: string, addr: string, credentials: object = { name, password }, logins = 3) => {
      for (let count = 0; count < logins; count += 1) {
        const status = await logIn(target, addr, credentials)
        if (status !== 200) refused.push([where, status])
        await wait(100)
      }
    }
    // By name: from one address, each when the wait for the one before has ended.
    for (const milliseconds of [0, 0, 0, 0, 2100]) {
      await wait(milliseconds)
      await guess(attackerAt(0), name)
    }
    await logInRight('another address, while its name is guessed', '127.68.1.1')
    // By address: invented names, from the address that the administrator has, too.
    const common = attackerAt(20)
    for (let index = 0; index < 11; index += 1) await guess(common, `invented ${index}`)
    await logInRight('the same address, after invented names', common)
    await logInRight('the same address, with the API token', common, { token: apiToken }, 1)
    // By capacity: twenty addresses at once, without a pause.
    let [isOver, guesses] = [false, 0]
    const attackers = Array.from({ length: 20 }, async (_, index) => {
      for (; !isOver && !target.isOver(); guesses += 1) await guess(attackerAt(index), name)
    })
    await logInRight('another address, while 20 guess at once', '127.68.1.1')
    isOver = true
    await Promise.all(attackers)
    return {
      figures: `${guesses} guesses of 20 addresses; right logins refused: ${refused.length}`,
      problems: refused.map(([where, status]) => `a right login from ${where}: ${status}`),
    }
  },
}

/** Logs in from an address; resolves to the status, 0 without a response in time. */
async function logIn(target: Target, addr: string, credentials: object): Promise<number> {
  const body = JSON.stringify(credentials)
  const socket = await target.caller(addr)
  const head = `POST /login HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: ${body.length}`
  const received = textUntil(socket, '\r\n\r\n', 25_000)
  socket.write(`${head}\r\n\r\n${body}`)
  const [, status = '0'] = /^HTTP\/1\.1 (\d+)/.exec(await received) ?? []
  socket.destroy()
  return Number(status)
}

const guesses = 100_000
const addresses = 50
/** Guesses of one address in a second: 2,500 of all. */
const rate = 50
/** Milliseconds that the right callers are measured before. */
const timeBefore = 10_000
/** What is reported of an address in each of the minutes that begin meanwhile: one line, one event, six audit records. */
const reports = 2 * addresses
const maxRecords = 6 * reports

const wrongTokens: Attack = {
  name: 'wrong-tokens',
  summary: '100,000 wrong tokens from 50 addresses while 8 callers have right ones',
  seconds: 75,
  bounds: { log: 1_000_000 },
  async run(target) {
    const { id, token } = (await target.call('POST /token/add', { name: 'right', role: 'read' })).json
    const right = startChild<RightCallers>(new URL('../right-callers.ts', import.meta.url).href)
    setNormalPriority(right.pid)
    const failures = async () =>
      Number(/^fleet_auth_failures_total (\d+)$/m.exec((await target.call('GET /metrics')).text)?.[1])
    try {
      const tokens = Array.from({ length: 8 }, (_, index) => (index % 2 === 0 ? apiToken : token))
      await right.ask('start', { port: target.ports.rest, tokens, addr: target.absent[0] ?? '' })
      // The first responses are slow, as the code is not compiled yet.
      await wait(timeBefore)
      await right.ask('report')
      const quiet = startWaited(target.pid)
      await wait(timeBefore)
      const waitedBefore = quiet()
      const before = await right.ask('report')
      const [failuresBefore, eventsOf] = [await failures(), await readEvents(target)]
      const [began, waited] = [performance.now(), startWaited(target.pid)]
      const counts: Counts = { sent: 0, refused: 0, others: new Set() }
      await Promise.all(Array.from({ length: addresses }, (_, index) => guessFrom(target, index, String(id), counts)))
      const during = await right.ask('report')
      const seconds = Math.round((performance.now() - began) / 1000)
      const isJudged = Math.max(waitedBefore, waited()) <= waitedBound
      const counted = (await failures()) - failuresBefore
      const lines = target.log().match(/from 127\.67\..*401/g)?.length ?? 0
      const records = (await target.call('GET /audit?route=/poweroff&limit=1000')).json.audit.length
      const { sent, refused, others } = counts
      const [events, failed] = [eventsOf(), before.failed + during.failed]
      const times = `p99 of ${during.count} right ones ${during.p99.toFixed(1)} ms, before ${before.p99.toFixed(1)} ms`
      return {
        figures:
          `${sent} wrong tokens in ${seconds} s, ${times}${isJudged ? '' : ' (not judged)'}, ` +
          `${lines} log lines, ${records} audit records, ${events} events`,
        problems: [
          isJudged && sent < guesses && `only ${sent} wrong tokens were sent`,
          (refused !== sent || others.size > 0) && `${refused} of ${sent} were 401, others: ${[...others]}`,
          counted !== sent && `the metric counts ${counted} of ${sent}`,
          isJudged && during.p99 >= 2 * before.p99 && 'the p99 of right callers has doubled',
          failed > 0 && `${failed} right callers were refused`,
          lines > reports && `${lines} log lines, expected at most ${reports}`,
          (events > reports || events === 0) && `${events} events, expected 1 to ${reports}`,
          (records > maxRecords || records === 0) && `${records} audit records, expected 1 to ${maxRecords}`,
        ],
      }
    } finally {
      await right.stop()
    }
  },
}

interface Counts {
  sent: number
  refused: number
  /** First lines of responses that are not 401. */
  others: Set<string>
}

/** Sends the guesses of one address at a fixed rate, each on the same connection as long as that is open. */
async function guessFrom(target: Target, address: number, id: string, counts: Counts): Promise<void> {
  let socket: Socket | undefined
  const began = performance.now()
  for (let round = 0; round < guesses / addresses && !target.isOver(); round += 1) {
    await wait(Math.max(0, began + (1000 * round) / rate - performance.now()))
    if (!socket?.writable) {
      socket = await target.caller(attackerAt(address))
      socket.setEncoding('latin1').on('data', (text: string) => {
        for (const [line] of text.matchAll(/HTTP\/1\.1 \d+/g)) {
          if (line === 'HTTP/1.1 401') counts.refused += 1
          else counts.others.add(line)
        }
      })
    }
    counts.sent += 1
    socket.write(wrongRequest(address + round, id))
  }
  await wait(500)
  socket?.destroy()
}

/** Each kind of credentials that can be wrong; reads and writes, as only writes are in the audit log. */
function wrongRequest(index: number, id: string): string {
  const secret = randomBytes(32).toString('base64url')
  const kinds = [
    `Authorization: ${secret}`,
    `Authorization: fh_${id}_${secret}`,
    `Authorization: Bearer fh_${id}_${secret}`,
    `Authorization: Basic ${Buffer.from(`admin:${secret}`).toString('base64')}`,
    `Cookie: fleet_session=${secret}`,
  ]
  const [line, body] = index % 3 === 0 ? ['POST /poweroff', '{"clients":["127.60.0.1"]}'] : ['GET /clients', '']
  const head = `${line} HTTP/1.1\r\nHost: 127.0.0.1\r\n${kinds[index % kinds.length]}`
  return `${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

/** Collects the events from now on; returns the function that counts them. */
async function readEvents(target: Target): Promise<() => number> {
  const socket = await target.caller('127.0.0.1')
  let text = ''
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk
  })
  socket.write(`GET /events?type=auth-failed HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: ${apiToken}\r\n\r\n`)
  return () => text.match(/^event: auth-failed$/gm)?.length ?? 0
}

export const loginAttacks: Attack[] = [wrongTokens, lockout]
