// What the lines of a console log mean: the texts of imaging programs, and lines of earlier commands.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { ClientLog } from '../../host/images/client-log.ts'
import { withSitePatterns } from '../../host/images/log-patterns.ts'
import { startQuietTimer } from '../harness/quiet-timer.ts'
import { root } from '../harness/source-files.ts'

const folder = join(root, 'test/images/fixtures')
const textOf = (name: string) => readFileSync(join(folder, name), 'utf8')

/** A log in which all lines belong to the command. */
function logOf(text: string, sitePatterns: Parameters<typeof withSitePatterns>[0] = []): ClientLog {
  const log = new ClientLog(withSitePatterns(sitePatterns))
  log.read('')
  log.read(text)
  return log
}

const resultOf = (log: ClientLog) => log.error ?? (log.isComplete ? 'complete' : log.progress?.percent)

const test = suite('console log of a client')

const partitionTooSmall =
  'Target partition size(5368709120 MB) is smaller than source(10737418240 MB). Use option -C to disable size checking(Dangerous).'

/** By fixture: the line with the error, `complete`, the percentage at the end, or undefined when it says nothing. */
const expected = {
  'gzip-broken.log': 'gzip: stdin: unexpected end of file',
  'harmless.log': undefined,
  'lz4-broken.log': 'Error 68 : Unfinished stream',
  'lzop-broken.log': 'lzop: <stdin>: unexpected end of file',
  'ntfsclone-disk.log': 'Write failed: Input/output error',
  'ntfsclone.log': 'complete',
  'page.html': 'lzop: <stdin>: not a lzop file',
  'partclone-crc.log': 'CRC error, block_id=85211...',
  'partclone-killed.log': 47.3,
  'partclone-not-an-image.log': 'This is not partclone image.',
  'partclone-restore.log': 'complete',
  'partclone-small-target.log': partitionTooSmall,
  'repository-full.log': 'lzop: No space left on device: /opt/opengnsys/images/debian.img',
  'terminal.log': 52.4,
  'udpcast.log': 'Dropping client #0 because of timeout',
  'zstd-broken.log': '/*stdin*\\ : Read error (39) : premature end',
}

test('every sample has a result', () => {
  equal(readdirSync(folder).sort(), Object.keys(expected).sort())
})

for (const [name, result] of Object.entries(expected)) {
  test(`the log ${name} is read as: ${result ?? 'nothing known'}`, () => is(resultOf(logOf(textOf(name))), result))
}

test('progress has a percentage, the rate in bytes per second, and the remaining seconds', () => {
  equal(logOf(textOf('partclone-killed.log')).progress, { percent: 47.3, rate: 85_666_667, remaining: 21 })
  equal(logOf(textOf('terminal.log')).progress, { percent: 52.4, rate: 10_240_000, remaining: 3723 })
  equal(logOf('Completed: 12.34%, Rate: 2.00KB/s, Remaining: 00:00:05').progress, {
    percent: 12.3,
    rate: 2000,
    remaining: 5,
  })
  equal(logOf('55.40 percent completed').progress, { percent: 55.4 })
})

test('99.96 percent is not the end', () => {
  equal([logOf('Completed: 99.96%').progress?.percent, logOf('Completed: 99.96%').isComplete], [99.9, false])
})

test('a number that is no percentage means nothing', () => {
  is(resultOf(logOf('Completed: 999.99%, Rate: 1GB/min')), undefined)
})

test('the reason of an end below 100 % has the last line of the progress', () => {
  is(
    logOf(textOf('partclone-killed.log')).endReason,
    'ended at 47.3 %: Elapsed: 00:00:19, Remaining: 00:00:21, Completed:  47.31%, Rate:   5.14GB/min,',
  )
})

test('a second copy after a complete one counts: the last progress decides', () => {
  const log = logOf('Completed: 100.00%\nCloned successfully.\nCompleted: 3.00%')
  equal([log.isComplete, log.progress?.percent], [false, 3])
})

test('lines of before the command mean nothing, neither errors nor ends', () => {
  const log = new ClientLog(withSitePatterns([]))
  const earlier = textOf('repository-full.log')
  log.read(earlier)
  log.read(earlier)
  is(resultOf(log), undefined)
  log.read(`${earlier}Completed: 10.00%\n`)
  is(resultOf(log), 10)
  log.read(`${earlier}Completed: 10.00%\nlzop: Broken pipe\n`)
  is(resultOf(log), 'lzop: Broken pipe')
})

test('a log that begins again may have the lines of the earlier one again', () => {
  const log = new ClientLog(withSitePatterns([]))
  log.read('Completed: 7.00%\nCloned successfully.\n')
  log.read('')
  log.read('Completed: 7.00%\n')
  is(resultOf(log), 7)
})

test('a log that began again before the next read is of this command from its first new line on', () => {
  const log = new ClientLog(withSitePatterns([]))
  log.read('Completed: 1.00%\nCompleted: 60.00%\nCloned successfully.\n')
  log.read('Completed: 1.00%\nCompleted: 61.00%\nCloned successfully.\n')
  is(resultOf(log), 'complete')
})

test('a page whose head changes keeps the lines of earlier commands apart', () => {
  const log = new ClientLog(withSitePatterns([]))
  const page = (time: string, more = '') => `<h1>Log at ${time}</h1><pre>\nerror: old\n${more}</pre></html>`
  log.read(page('10:00'))
  log.read(page('10:05', 'Completed: 5.00%\n'))
  is(resultOf(log), 5)
})

test('an error stays although its line has left the log', () => {
  const log = logOf('error: first\nerror: second\n')
  log.read('Completed: 50.00%\n')
  is(resultOf(log), 'error: first')
})

test('patterns of a site come before the built-in ones', () => {
  const log = logOf('copied 40 of 100\nerror: harmless here\n', [
    { means: 'ignore', pattern: '^error: harmless' },
    { means: 'progress', pattern: 'copied (?<percent>\\d+) of 100' },
  ])
  is(resultOf(log), 40)
  is(resultOf(logOf('READY', [{ means: 'done', pattern: 'ready' }])), 'complete')
  is(resultOf(logOf('oh no', [{ means: 'error', pattern: 'OH NO' }])), 'oh no')
})

test('a reason is one printable line of at most 180 characters', () => {
  const log = logOf(`error: \u202e\u0007${'x'.repeat(5000)}`)
  match(log.error ?? '', /^error: x{150,173}$/)
})

test('random bytes and very long lines are read in no time', () => {
  const time = startQuietTimer()
  const junk = Buffer.from(Array.from({ length: 65_536 }, (_, at) => (at * 7919 + (at >> 3)) % 256)).toString('utf8')
  for (const text of [junk, 'a '.repeat(32_768), '<'.repeat(65_536), '\x1b['.repeat(32_768), '\n'.repeat(65_536)]) {
    is(resultOf(logOf(text)), undefined)
  }
  ok(time() < 2000)
})

test.run()
