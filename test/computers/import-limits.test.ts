// Texts of 2 MB that are made to keep the daemon busy: each has its answer, and nobody else waits for it.
import { suite } from 'uvu'
import { equal, is, ok } from 'uvu/assert'
import { readCsv, readDhcpd } from '../../host/computers/import/formats.ts'
import type { Imported } from '../../host/computers/import/validate-rows.ts'
import { measurePause } from '../harness/longest-pause.ts'
import { startTestHost } from '../harness/test-host.ts'

export const runs = { seconds: 10 }

/** Milliseconds of CPU time; the work yields after 10, the rest is for garbage collection and the compiler. */
const longestPause = 250
/** The same where ten thousand records are one step of the store, with what is kept to take the import back: about 400. */
const longestStep = 2000
const size = 2_000_000
const fill = (text: string) => text.repeat(size / text.length)
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)
const head = 'name,ip,mac\n'

const limits = suite('limits of imports')

async function readWithoutPause(read: (text: string) => Promise<Imported>, text: string): Promise<Imported> {
  const { result, longest } = await measurePause(() => read(text))
  ok(longest < longestPause, `paused for ${Math.round(longest)} ms`)
  return result
}

const misquoted = (got: string) => `quotes: expected quotes around a whole value, doubled inside it, got ${got}`
const tooLong = (line: number, got: string | number) => ({
  line,
  reason: `line: expected at most 65536 characters, got ${got}`,
})

const csvTexts: Record<string, [text: string, conflicts: Imported['conflicts']]> = {
  'a head of a hundred and one columns': [
    `name,ip,mac,${numbers(98).join(',')}\n`,
    [{ line: 1, reason: 'columns: expected at most 100, got 101' }],
  ],
  'a head of a million columns': [`name,ip,mac${fill(',m')}\n`, [tooLong(1, size + 11)]],
  'a head of thirty thousand columns': [
    `name,ip,mac${',m'.repeat(30_000)}\n`,
    [{ line: 1, reason: 'columns: expected at most 100, got 30003' }],
  ],
  'a line of a million columns': [`${head}${fill('a,')}`, [tooLong(2, size)]],
  'misquoted lines': [
    head + fill('"x" y,1,2\n'),
    numbers(100).map(n => ({ line: n + 2, reason: misquoted('"\\"x\\" y,1,2"') })),
  ],
  'only quotes': [head + fill('"'), [tooLong(2, size)]],
  'only line ends': [head + fill('\r\n'), []],
  'only commas': [head + fill(',,\n'), []],
}

for (const [name, [text, conflicts]] of Object.entries(csvTexts)) {
  limits(`CSV: ${name}`, async () => equal(await readWithoutPause(readCsv, text), { computers: [], conflicts }))
}

limits(
  'CSV: a quote that is never closed spoils its line, and after 10,000 lines with conflicts reading ends',
  async () => {
    const { computers, conflicts } = await readWithoutPause(readCsv, `${head}"${fill('a,b\n')}`)
    equal(computers, [])
    equal(conflicts[0], { line: 2, reason: misquoted('"\\"a,b"') })
    equal(conflicts.at(-1), { line: 202, reason: '9800 more lines with conflicts from here on, and reading ended' })
  },
)

limits('CSV: a quoted value may have 99 line breaks', async () => {
  const text = (count: number) => `${head}"pc${'\n'.repeat(count)}1",10.1.1.1,001b210a0b01\n`
  is((await readCsv(text(99))).computers.length, 1)
  equal((await readCsv(text(100))).conflicts[0], { line: 2, reason: misquoted('"\\"pc"') })
})

limits('CSV: forty thousand computers', async () => {
  const mac = (n: number) => n.toString(16).padStart(12, '0')
  const rows = numbers(40_000).map(n => `"pc ${n}",10.1.${n >> 8}.${n & 255},${mac(n)}`)
  const { computers, conflicts } = await readWithoutPause(readCsv, head + rows.join('\n'))
  equal([computers.length, conflicts], [40_000, []])
})

const dhcpdTexts: Record<string, [text: string, line: number, reason: string]> = {
  'only opening braces': [fill('{'), 1, '{: expected at most 20 blocks inside each other, got more'],
  'opening braces on lines': [fill('a {\n'), 21, '{: expected at most 20 blocks inside each other, got more'],
  'a host with a hundred and one statements': [
    `host a {\n${'x;'.repeat(101)} }`,
    2,
    'host: expected at most 100 statements, got more',
  ],
  'a long comment': [`\n# ${fill('-')}`, 2, 'line: expected at most 65536 characters, got more'],
  'many blocks on one line': [fill('a{}'), 1, 'line: expected at most 65536 characters, got more'],
  'a quote that is never closed': [
    `\nx "${fill('\\"')}`,
    2,
    'quote: expected a closing quote within 1024 characters, got none',
  ],
}

for (const [name, [text, line, reason]] of Object.entries(dhcpdTexts)) {
  limits(`dhcpd.conf: ${name}`, async () =>
    equal(await readWithoutPause(readDhcpd, text), { computers: [], conflicts: [{ line, reason }] }),
  )
}

limits('dhcpd.conf: only closing braces', async () => {
  const { conflicts } = await readWithoutPause(readDhcpd, fill('}\n'))
  equal(conflicts[0], { line: 1, reason: '}: expected a { before it, got none' })
  equal(conflicts.at(-1), { line: 201, reason: '9800 more lines with conflicts from here on, and reading ended' })
})

limits('dhcpd.conf: twenty blocks inside each other are read', async () => {
  const host = 'host a { hardware ethernet 00:1b:21:0a:0b:01; fixed-address 10.1.1.1; }'
  is((await readDhcpd(`${'group {'.repeat(19)} ${host} ${'}'.repeat(19)}`)).computers.length, 1)
  is((await readDhcpd(`${'group {'.repeat(20)} ${host} ${'}'.repeat(20)}`)).computers.length, 0)
})

limits('ten thousand computers are imported and changed without a long pause', async () => {
  const testHost = await startTestHost({ options: { limits: { request: 4_000_000 } } })
  await testHost.addComputer('10.9.9.9')
  const ip = (n: number) => `10.1.${n >> 8}.${n & 255}`
  const mac = (n: number) => n.toString(16).padStart(12, '0')
  const textOf = (rowOf: (n: number) => string) => ['name,ip,mac,boot', ...numbers(10_000).map(rowOf)].join('\n')
  const send = async (text: string, more: object = {}) => {
    const payload = { format: 'csv', text, room: 1, ...more }
    const { result, longest } = await measurePause(() => testHost.call('POST /client/import', payload))
    ok(longest < longestStep, `paused for ${Math.round(longest)} ms`)
    is(result.status, 200)
    return result.json
  }
  equal(await send(textOf(n => `pc-${n},${ip(n)},${mac(n)},none`)), { added: 10_000, exists: 0, conflicts: [] })
  // Each one gets the address of the next, and every fifth a new name.
  const shifted = textOf(n => `${n % 5 ? 'pc' : 'lab'}-${n},${ip((n + 1) % 10_000)},${mac(n)},none`)
  for (const dry_run of [true, false]) {
    const { rows, omitted, ...counts } = await send(shifted, { update: true, dry_run })
    equal(counts, { added: 0, exists: 0, updated: 10_000, conflicts: [] })
    ok(rows.length > 1000, `${rows.length} rows`)
    is(rows.length + omitted, 10_000)
  }
  const { conflicts } = await send(textOf(n => `other-${n},${ip(n)},${mac(n)},`))
  ok(conflicts.length > 1000, `${conflicts.length} conflicts`)
  const { line, reason } = conflicts.at(-1)
  is(reason, `${10_000 - conflicts.length + 1} more lines with conflicts from here on`)
  is(line, conflicts.at(-2).line + 1)
  await testHost.stop()
})

limits.run()
