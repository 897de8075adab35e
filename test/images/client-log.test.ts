// What the lines of a console log mean: the texts of imaging programs, and lines of earlier commands.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { ClientLog } from '../../host/images/client-log.ts'
import { lineReader } from '../../host/images/log-patterns.ts'
import { root } from '../harness/source-files.ts'

const folder = join(root, 'test/images/fixtures')
const textOf = (name: string) => readFileSync(join(folder, name), 'utf8')

const newLog = (sitePatterns: Parameters<typeof lineReader>[0] = []) => new ClientLog(lineReader(sitePatterns))
const read = (log: ClientLog, text: string, isLast?: boolean) => log.read(Buffer.from(text), isLast)

/** A log in which all lines belong to the command. */
async function logOf(text: string, sitePatterns?: Parameters<typeof newLog>[0]): Promise<ClientLog> {
  const log = newLog(sitePatterns)
  await read(log, '')
  await read(log, text, true)
  return log
}

const resultOf = ({ verdict }: ClientLog) => verdict.reason ?? verdict.result
const nothing = 'not confirmed: the log says nothing about this command'

const test = suite('console log of a client')

const partitionTooSmall =
  'Target partition size(5368709120 MB) is smaller than source(10737418240 MB). Use option -C to disable size checking(Dangerous).'

/** By fixture: the line with the error, `success`, the end below 100 %, or that it says nothing. */
const expected = {
  'gzip-broken.log': 'gzip: stdin: unexpected end of file',
  'harmless.log': nothing,
  'lz4-broken.log': 'Error 68 : Unfinished stream',
  'lzop-broken.log': 'lzop: <stdin>: unexpected end of file',
  'ntfsclone-disk.log': 'Write failed: Input/output error',
  'ntfsclone.log': 'success',
  'page.html': 'lzop: <stdin>: not a lzop file',
  'partclone-crc.log': 'CRC error, block_id=85211...',
  'partclone-killed.log':
    'ended at 47.3 %: Elapsed: 00:00:19, Remaining: 00:00:21, Completed:  47.31%, Rate:   5.14GB/min,',
  'partclone-not-an-image.log': 'This is not partclone image.',
  'partclone-restore.log': 'success',
  'partclone-small-target.log': partitionTooSmall,
  'repository-full.log': 'lzop: No space left on device: /opt/opengnsys/images/debian.img',
  'terminal.log': 'ended at 52.4 %: Elapsed: 00:00:21, Remaining: 01:02:03, Completed:  52.49%, Rate: 614.40MB/min,',
  'udpcast.log': 'Dropping client #0 because of timeout',
  'zstd-broken.log': '/*stdin*\\ : Read error (39) : premature end',
}

test('every sample has a result', () => {
  equal(readdirSync(folder).sort(), Object.keys(expected).sort())
})

for (const [name, result] of Object.entries(expected)) {
  test(`the log ${name} is read as: ${result}`, async () => is(resultOf(await logOf(textOf(name))), result))
}

const progressOf = async (text: string) => (await logOf(text)).progress

test('progress has a percentage, the rate in bytes per second, and the remaining seconds', async () => {
  equal(await progressOf(textOf('partclone-killed.log')), { percent: 47.3, rate: 85_666_667, remaining: 21 })
  equal(await progressOf(textOf('terminal.log')), { percent: 52.4, rate: 10_240_000, remaining: 3723 })
  const line = 'Completed: 12.34%, Rate: 2.00KB/s, Remaining: 00:00:05'
  equal(await progressOf(line), { percent: 12.3, rate: 2000, remaining: 5 })
  equal(await progressOf('55.40 percent completed'), { percent: 55.4 })
})

test('99.96 percent is not the end', async () => {
  const log = await logOf('Completed: 99.96%')
  equal([log.progress?.percent, resultOf(log)], [99.9, 'ended at 99.9 %: Completed: 99.96%'])
})

test('a number that is no percentage means nothing', async () => {
  is(resultOf(await logOf('Completed: 999.99%, Rate: 1GB/min')), nothing)
})

test('a second copy after a complete one counts: the last progress decides', async () => {
  const log = await logOf('Completed: 100.00%\nCloned successfully.\nCompleted: 3.00%')
  is(resultOf(log), 'ended at 3 %: Completed: 3.00%')
})

test('lines of before the command mean nothing, neither errors nor ends', async () => {
  const log = newLog()
  const earlier = textOf('repository-full.log')
  await read(log, earlier)
  await read(log, earlier)
  is(resultOf(log), nothing)
  await read(log, `${earlier}Completed: 10.00%\n`)
  is(log.progress?.percent, 10)
  await read(log, `${earlier}Completed: 10.00%\nlzop: Broken pipe\n`)
  is(resultOf(log), 'lzop: Broken pipe')
})

test('a log that begins again may have the lines of the earlier one again', async () => {
  const log = newLog()
  await read(log, 'Completed: 7.00%\nCloned successfully.\n')
  await read(log, '')
  await read(log, 'Completed: 7.00%\n')
  is(log.progress?.percent, 7)
})

test('a log that began again before the next read is of this command from its first new line on', async () => {
  const log = newLog()
  await read(log, 'Completed: 1.00%\nCompleted: 60.00%\nCloned successfully.\n')
  await read(log, 'Completed: 1.00%\nCompleted: 61.00%\nCloned successfully.\n')
  is(resultOf(log), 'success')
})

test('a page whose head changes keeps the lines of earlier commands apart', async () => {
  const log = newLog()
  const page = (time: string, more = '') => `<h1>Log at ${time}</h1><pre>\nerror: old\n${more}</pre></html>`
  await read(log, page('10:00'))
  await read(log, page('10:05', 'Completed: 5.00%\n'))
  is(log.progress?.percent, 5)
})

test('an error stays although its line has left the log', async () => {
  const log = await logOf('error: first\nerror: second\n')
  await read(log, 'Completed: 50.00%\n')
  is(resultOf(log), 'error: first')
})

test('patterns of a site come before the built-in ones', async () => {
  const log = await logOf('copied 40 of 100\nerror: harmless here\n', [
    { means: 'ignore', pattern: '^error: harmless' },
    { means: 'progress', pattern: 'copied (?<percent>\\d+) of 100' },
  ])
  is(log.progress?.percent, 40)
  is(resultOf(await logOf('READY', [{ means: 'done', pattern: 'ready' }])), 'success')
  is(resultOf(await logOf('oh no', [{ means: 'error', pattern: 'OH NO' }])), 'oh no')
})

test('a reason is one printable line of at most 180 characters', async () => {
  const log = await logOf(`error: \u202e\u0007${'x'.repeat(5000)}`)
  match(resultOf(log), /^error: x{150,173}$/)
})

test('an error counts that is followed by 1.9 MB of other lines and a complete copy in the same read', async () => {
  const log = newLog()
  await read(log, '')
  await read(log, 'Completed: 50.00%\n')
  const others = 'usr/share/doc/some-package/copyright\n'.repeat(50_000)
  await read(log, `Completed: 50.00%\nlzop: Broken pipe\n${others}Cloned successfully.\n`, true)
  is(resultOf(log), 'lzop: Broken pipe')
})

test('a log that has lost what was read of it confirms nothing, and one that has scrolled does', async () => {
  const lines = Array.from({ length: 99 }, (_, at) => `Completed: ${at + 1}.00%\n`)
  for (const [from, result] of [
    [40, 'success'],
    [60, 'not confirmed: the log began again between two reads'],
  ] as const) {
    const log = newLog()
    await read(log, '')
    await read(log, lines.slice(0, 50).join(''))
    await read(log, `${lines.slice(from).join('')}Cloned successfully.\n`, true)
    is(resultOf(log), result)
  }
})

test('of a line that is too long the beginning and the end are read', async () => {
  const path = 'a/'.repeat(5000)
  is(resultOf(await logOf(`tar: ${path}: No space left on device`)).slice(-24), ' No space left on device')
  match(resultOf(await logOf(`lzop: Broken pipe: ${path}`)), /^lzop: Broken pipe/)
})

test.run()
