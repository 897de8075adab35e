// What the lines of a console log cost: whatever a client's server sends, the daemon goes on with its other work.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import { is, ok } from 'uvu/assert'
import { ClientLog } from '../../host/images/client-log.ts'
import { lineReader } from '../../host/images/log-patterns.ts'
import { root } from '../harness/source-files.ts'

const copyLog = readFileSync(join(root, 'test/images/fixtures/partclone-killed.log'), 'utf8')

/** A log in which all lines belong to the command. */
async function logOf(text: string): Promise<ClientLog> {
  const log = new ClientLog(lineReader([]))
  await log.read(Buffer.alloc(0))
  await log.read(Buffer.from(text), true)
  return log
}

const test = suite('cost of a console log')

const kilobytes64 = (text: string) => text.repeat(Math.ceil(65_536 / text.length))
const junk = Buffer.from(Array.from({ length: 65_536 }, (_, at) => (at * 7919 + (at >> 3)) % 256)).toString('utf8')
const hostile = [
  'a\n',
  'a ',
  '<',
  '<a',
  '\x1b[',
  '\x1b[A',
  '\n',
  '<br>',
  `no ${'a '.repeat(500)}\n`,
  'no ',
  'ignore ignor',
]
hostile.push(`${'target partition size '.repeat(50)}\n`, 'not in a ', '1.1.', '0 no zero ', 'completed: 1', '&lt;')

/** Milliseconds of processor time, the least of some times. */
async function costOf(text: string): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let time = 0; time < 5; time += 1) {
    const before = process.cpuUsage()
    await logOf(text)
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}

test('random bytes and hostile lines cost about as much as the lines of a copy', async () => {
  const copy = await costOf(kilobytes64(copyLog))
  for (const text of [junk, ...hostile.map(kilobytes64)]) {
    const cost = await costOf(text)
    is((await logOf(text)).progress, undefined)
    ok(cost < 12 * copy + 5, `${JSON.stringify(text.slice(0, 20))}: ${cost} ms, a copy ${copy} ms`)
  }
})

test('the event loop runs while the lines of a long log are read', async () => {
  let ticks = 0
  let timer = setImmediate(function count() {
    ticks += 1
    timer = setImmediate(count)
  })
  const before = process.cpuUsage()
  await logOf('a\n'.repeat(1_000_000))
  const { user, system } = process.cpuUsage(before)
  clearImmediate(timer)
  ok(ticks > (user + system) / 1000 / 50, `${ticks} ticks in ${(user + system) / 1000} ms`)
})

test.run()
