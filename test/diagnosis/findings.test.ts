// What a diagnosis finds, function by function: clocks, disks, certificates, networks, boot files, wake-ups.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { loadOptions } from '../../host/config/options.ts'
import type { DoctorFinding } from '../../host/contract/services.ts'
import { checkBootFiles } from '../../host/diagnosis/boot-findings.ts'
import { type ClientDeps, checkLastWake, type Subject } from '../../host/diagnosis/client-findings.ts'
import { checkAllRefusals, checkRefusals } from '../../host/diagnosis/connection-findings.ts'
import {
  checkCertificate,
  checkClock,
  checkDisks,
  checkMulticast,
  checkPorts,
  checkStore,
  type ServerDeps,
} from '../../host/diagnosis/server-findings.ts'
import { checkWakeUps } from '../../host/diagnosis/wake-findings.ts'

const folder = mkdtempSync(join(tmpdir(), 'findings-'))
const noon = Date.parse('2026-03-02T12:00Z')
const { options } = loadOptions()

const clock = { now: () => noon, after: () => () => {} }
/** `as`: only what a check reads is there. */
const deps = (parts: object) => ({ options, clock, ...parts }) as object as ServerDeps
const newestJob = (created: number) => ({ jobs: { list: async () => [{ created }] } })
const levels = (list: DoctorFinding[]) => list.map(({ level }) => level)

const test = suite('findings')
test.after(() => rmSync(folder, { recursive: true }))

test('the clock: set back, not set by a server of time, or fine', async () => {
  const check = (created: number, isSet: boolean | undefined) =>
    checkClock(deps({ store: newestJob(created), isClockSet: async () => isSet }))
  const found = [await check(noon + 120_000, true), await check(noon, false), await check(noon, undefined)]
  equal(levels(found), ['problem', 'warning', 'ok'])
  match(
    found[0]?.text ?? '',
    /^the clock says 2026-03-02 12:00 UTC, .* of 2026-03-02 12:02 UTC: the clock was set back$/,
  )
})

test('a port of agents on loopback is a warning', () => {
  const agents = { ...options.agents, ip: '127.0.0.1' }
  equal(levels(checkPorts(deps({ options: { ...options, agents } }))), ['ok', 'warning'])
})

test('disks: a warning from 90 %, a problem from 98 %, and a folder that cannot be written', async () => {
  const closed = join(folder, 'closed')
  mkdirSync(closed)
  chmodSync(closed, 0o500)
  const disk = (percent: number) => ({ options: ['store.path'], percent, free: 1 })
  const disks = { read: async () => [disk(89), disk(90), disk(98)] }
  const boot = { ...options.boot, output: process.getuid?.() === 0 ? '/proc' : closed }
  const found = await checkDisks(deps({ options: { ...options, boot }, disks }))
  equal(levels(found).slice(0, 3), ['ok', 'warning', 'problem'])
})

test('multicast without udp-sender is a warning when a live system was built and a job has asked for it', async () => {
  const { PATH } = process.env
  const ask = (type: string, wait_seconds = 60) => {
    const more = { images: { transfer: { multicast: { wait_seconds } } }, store: { path: folder } }
    const jobs = { list: async () => [{ steps: [{ payload: { type } }] }] }
    return checkMulticast(deps({ options: { ...options, ...more }, store: { jobs } }))
  }
  process.env.PATH = folder
  equal(await ask('MULTICAST'), [])
  mkdirSync(join(folder, 'live/ogLive'), { recursive: true })
  const found = await Promise.all([ask('MULTICAST'), ask('MULTICAST', 0), ask('UNICAST')])
  writeFileSync(join(folder, 'udp-sender'), '', { mode: 0o755 })
  found.push(await ask('MULTICAST'))
  process.env.PATH = PATH
  equal(found.map(levels), [['warning'], [], [], []])
})

test('a store that cannot be written is a problem with its reason', async () => {
  const probe = () => Promise.reject(new Error('PostgreSQL: connect ECONNREFUSED'))
  const { level, text } = await checkStore(deps({ probe }))
  equal([level, text.endsWith('cannot be written: PostgreSQL: connect ECONNREFUSED')], ['problem', true])
})

test('the certificate: none on loopback, none for others, valid, soon over, over', () => {
  const open = { ...options, rest: { ...options.rest, ip: '0.0.0.0' } }
  const found = [{}, { options: open }, ...[60, 13, -1].map(days => ({ certificate: { days } }))]
  equal(levels(found.map(parts => checkCertificate(deps(parts)))), ['ok', 'warning', 'ok', 'warning', 'problem'])
})

test('networks without an interface of this server are warnings that name them and their rooms', async () => {
  const target = (ip: string, room: string) => ({ ip, netmask: '255.255.255.0', room })
  equal(levels(await checkWakeUps(options, [target('127.0.0.9', 'Near')])), ['ok'])
  const far = [target('203.0.113.4', 'A'), target('203.0.113.5', 'B'), target('127.0.0.9', 'Near')]
  const [found, ...others] = await checkWakeUps(options, far)
  match(found?.text ?? '', 'no interface of this server is in 203.0.113.0/24 (A, B)')
  equal(others, [])
  const many = Array.from({ length: 50 }, (_, at) => target(`203.0.${at}.4`, 'A'))
  equal((await checkWakeUps(options, many)).length, 21)
})

test('boot files: served, other ones, refused, unanswered, closed to others, and of another server', async () => {
  const output = join(folder, 'boot')
  chmodSync(folder, 0o755)
  mkdirSync(join(output, 'menu.lst'), { recursive: true })
  const withBoot = (more: object) => ({ ...options, boot: { ...options.boot, output, server: '127.0.0.1', ...more } })
  equal(levels(await checkBootFiles({ options: withBoot({}) })), ['ok'])
  writeFileSync(join(output, 'menu.lst', '01-AA'), 'menu')
  const server = createSocket('udp4').bind(0, '127.0.0.1')
  await once(server, 'listening')
  const asked: string[] = []
  let reply = ''
  server.on('message', (message, { port, address }) => {
    asked.push(message.toString('latin1'))
    if (message[1] === 1 && reply !== '') server.send(Buffer.from(reply, 'latin1'), port, address)
  })
  const check = async (answer: string) => {
    reply = answer
    const [found] = await checkBootFiles({ options: withBoot({}), tftpPort: server.address().port })
    return found?.level
  }
  const answers = ['\0\u0003\0\u0001menu', '\0\u0003\0\u0001other', '\0\u0005\0\u0001no such file\0', '']
  const found: unknown[] = []
  for (const answer of answers) found.push(await check(answer))
  equal(found, ['ok', 'problem', 'problem', 'warning'])
  is(asked[0], '\0\u0001menu.lst/01-AA\0octet\0')
  server.close()
  equal(levels(await checkBootFiles({ options: withBoot({ server: '203.0.113.9' }) })), ['warning'])
  chmodSync(folder, 0o700)
  equal(levels(await checkBootFiles({ options: withBoot({}) })), ['warning'])
})

test('the last wake-up of a computer: none, a success, or why it failed', async () => {
  const check = async (last: object) =>
    // `as`: the same.
    checkLastWake({ addr: '10.0.0.1' } as Subject, { wakes: { lastOf: async () => last } } as object as ClientDeps)
  const found = [
    await check({}),
    await check({ sent: noon, success: noon }),
    await check({ sent: noon, failure: 'none' }),
  ]
  equal(found.map(levels), [[], ['ok'], ['problem']])
  is(found[2]?.[0]?.text, 'the wake-up of 2026-03-02 12:00 UTC failed: none')
})

test('a refusal is over when the client is or was connected since', async () => {
  const refused = { addr: '10.0.0.1', limit: 'allow', reason: 'not in agents.allow', count: 2, first: noon, last: noon }
  const check = async (status: string | undefined, since: number | undefined, seen = new Map<string, number>()) => {
    const refusals = { find: () => refused, list: () => [refused] }
    const parts = { refusals, reports: { connectedSince: () => since }, lastSeen: { times: async () => seen } }
    // `as`: the same.
    const [own, all] = [{ addr: '10.0.0.1', status } as Subject, parts as object as ClientDeps]
    return (await Promise.all([checkRefusals(own, all), checkAllRefusals(all)])).map(levels)
  }
  equal(await check(undefined, undefined), [['problem'], ['warning']])
  equal(await check('OK', noon - 1), [['warning'], ['warning']])
  equal(await check('OK', noon + 1), [[], []])
  equal(await check(undefined, undefined, new Map([['10.0.0.1', noon + 1]])), [[], []])
})

test.run()
