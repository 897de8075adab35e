// Kinds of logs of copies whose outcome is known: no failure may be called a success, in no way of serving and reading.
import { suite } from 'uvu'
import { equal } from 'uvu/assert'
import { ClientLog } from '../../host/images/client-log.ts'
import { lineReader } from '../../host/images/log-patterns.ts'

/** How a copy ends: the share of it that was copied, and what is printed then. */
const endings: Record<string, [at: number, ...lines: string[]]> = {
  'broken lzop stream': [43, 'lzop: <stdin>: unexpected end of file'],
  'broken gzip stream': [43, 'gzip: stdin: unexpected end of file'],
  'broken gzip stream, in Spanish': [43, 'gzip: stdin: final de fichero inesperado'],
  'broken zstd stream': [43, '/*stdin*\\ : Read error (39) : premature end'],
  'wrong checksum': [43, 'CRC error, block_id=85211...'],
  'broken disk': [43, 'write error: Input/output error'],
  'full repository': [43, 'lzop: No space left on device: /opt/opengnsys/images/debian.img'],
  'small partition': [0, 'Target partition size(5368 MB) is smaller than source(10737 MB). Use option -C'],
  'small partition, in Spanish': [0, 'Error al restaurar: Particion mas pequeña que la imagen "1 2"'],
  'no image': [0, 'This is not partclone image.', 'Partclone fail, please check /var/log/partclone.log !'],
  'corrupt image, in Spanish': [0, 'Archivo de imagen corrupto o de otra versión de partclone'],
  'killed at once': [0],
  'killed in the middle': [43],
  'killed in the middle of a line': [43, 'Elapsed: 00:00:21, Remai'],
  'killed at the end': [100],
}

const endingNames = Object.keys(endings)

/** One that prints nothing that names its cause. */
const isSilent = (ending: string): boolean => ending.startsWith('killed')

const clock = (seconds: number) => new Date(seconds * 1000).toISOString().slice(11, 19)

/** Of partclone that restores to a partition, with a line each second. */
function partclone(partition: number, ending?: string): string[] {
  const [at, ...lines] = (ending && endings[ending]) || [100]
  const device = `/dev/sda${partition}`
  const head = ['Partclone v0.3.13 http://partclone.org', `Starting to restore image (-) to device (${device})`]
  if (at === 0) return [...head, ...lines]
  head.push('Calculating bitmap... Please wait...', 'done!', 'File system:  EXTFS')
  head.push('Device size:   10.7 GB = 2621440 Blocks', 'Space in use:   3.4 GB = 838301 Blocks')
  head.push('Free Space:     7.3 GB = 1783139 Blocks', 'Block size:   4096 Byte')
  for (let percent = partition; percent <= at; percent += Math.min(13, Math.max(1, at - percent))) {
    const times = `Elapsed: ${clock(percent)}, Remaining: ${clock(100 - percent)}`
    head.push(`${times}, Completed: ${percent.toFixed(2).padStart(6)}%, Rate:   5.14GB/min,`)
    head.push(`current block: ${percent * 8000}, total block: 2621440, Complete: ${percent.toFixed(2).padStart(6)}%`)
  }
  if (ending) return [...head, ...lines]
  head.push('Total Time: 00:01:40, Ave. Rate:   5.1GB/min, 100.00% completed!', 'Syncing... OK!')
  return [...head, `Partclone successfully restored the image (-) to the device (${device})`, 'Cloned successfully.']
}

/** The same in Spanish, of which no line is known. */
const partcloneInSpanish = (partition: number): string[] =>
  partclone(partition).map(line =>
    line
      .replace('Starting to restore image', 'Comenzando a restaurar la imagen')
      .replace(/Completed:|Complete:/, 'Completado:')
      .replace('completed!', '¡completado!')
      .replace('successfully restored', 'restauró')
      .replace('Cloned successfully.', 'Clonado correctamente.'),
  )

function ntfsclone(_partition: number, ending?: string): string[] {
  const [at, ...lines] = (ending && endings[ending]) || [100]
  const scan = ['Scanning volume ...', ' 55.40 percent completed', '100.00 percent completed']
  const copy = [0.12, 21.5, 43, 77.77, 100].filter(percent => percent <= at)
  const progress = copy.map(percent => `${percent.toFixed(2).padStart(6)} percent completed`)
  const head = ['ntfsclone v2022.10.3 (libntfs-3g)', 'Cluster size       : 4096 bytes', ...scan]
  return [...head, 'Restoring NTFS from image ...', ...progress, ...(ending ? lines : ['Syncing ...'])]
}

/** rsync, which prints no end that is known; its files have names that look like errors. */
const rsync = (): string[] => [
  'receiving incremental file list',
  ...fileNames,
  '     45,678,901  99%   10.00MB/s    0:00:05 (xfr#2, to-chk=0/12)',
  'sent 1,234 bytes  received 45,678,901 bytes  9,135,780.20 bytes/sec',
]

const fileNames = [
  'file error.log copied',
  'usr/share/perl5/Error.pm',
  'usr/lib/node_modules/x/error.js',
  'srv/www/errors/404.html',
  'var/log/error',
  'home/ana/error-report 2.doc',
  'Windows/System32/my_error.dll',
]

/** The log as the family's page shows it. */
function asPage(log: string): string {
  const isLast = /^aclfilter|^deleting|^bytes|%|sent|^Elapsed:|^Total [Tt]ime:|^-|^\\|^\//
  const lines = log.split('\n').filter(line => line.length >= 4)
  const shown = (isTail: boolean) =>
    lines.filter(line => isLast.test(line) === isTail).filter((line, at, all) => line !== all[at - 1])
  const area = (name: string, text: string[]) =>
    `<TEXTAREA NAME='${name}' ROWS='13' COLS='175'>\n${text.map(line => `${line}\n`).join('')}</TEXTAREA>\n`
  const areas = [area('trackloghead', shown(false).slice(0, 15)), area('tracklogtail', shown(true).slice(-2))]
  return `<html><head>\n<title>Log</title></head><body>\n<table>\n${areas.join('</tr>\n<tr>\n')}</table>\n</body></html>\n`
}

type Outcome = 'success' | 'failure' | 'not confirmed'

interface Kind {
  name: string
  lines: string[]
  /** Whether every copy is complete. */
  isComplete: boolean
  /** What can be known of the whole log, and of the page; undefined: that depends on when it is read. */
  expected: [Outcome?, Outcome?]
}

const script = (count: number) => Array.from({ length: count }, (_, at) => `[${at}] step of a script`)
const tarFailed = ['tar: ./home: Cannot open', 'tar: Exiting with failure status due to previous errors']
const copies = (count: number, failing: number, ending?: string) =>
  Array.from({ length: count }, (_, at) => partclone(at + 1, at + 1 === failing ? ending : undefined)).flat()

const complete = (name: string, lines: string[], ...expected: Kind['expected']): Kind => ({
  ...{ name, lines, isComplete: true, expected },
})
const failed = (name: string, lines: string[], ...expected: Kind['expected']): Kind => ({
  ...{ name, lines, isComplete: false, expected },
})

const kinds: Kind[] = [
  complete('1 copy', partclone(1), 'success', 'success'),
  complete('2 copies', copies(2, 0), 'success', 'not confirmed'),
  complete('3 copies', copies(3, 0), 'success', 'not confirmed'),
  complete('2 script lines, 1 copy', [...script(2), ...partclone(1)], 'success', 'success'),
  complete('20 script lines, 1 copy', [...script(20), ...partclone(1)], 'success', 'not confirmed'),
  complete('1 copy, 20 script lines', [...partclone(1), ...script(20)], 'success', 'not confirmed'),
  complete('1 copy, 2 names of files', [...partclone(1), ...fileNames.slice(0, 2)], 'success', 'success'),
  complete('7 names of files, 1 copy', [...fileNames, ...partclone(1)], 'success', 'not confirmed'),
  complete('1 copy in Spanish', partcloneInSpanish(1), 'not confirmed', 'not confirmed'),
  complete('ntfsclone', ntfsclone(1), 'success', 'success'),
  complete('2 of ntfsclone', [...ntfsclone(1), ...ntfsclone(2)], 'success', 'not confirmed'),
  complete('rsync', rsync(), 'not confirmed', 'not confirmed'),
  complete('tar', ['./home/', './home/ana/'], 'not confirmed', 'not confirmed'),
  failed('tar that failed', tarFailed, 'failure', 'failure'),
  failed('1 copy, tar that failed', [...partclone(1), ...tarFailed], 'failure', 'failure'),
  failed(
    '20 script lines, small partition',
    [...script(20), ...partclone(1, 'small partition')],
    'failure',
    'not confirmed',
  ),
]

for (const ending of endingNames) {
  for (const [count, failing] of [
    [1, 1],
    [2, 1],
    [2, 2],
    [3, 1],
    [3, 2],
    [3, 3],
  ] as const) {
    const isKnown = !isSilent(ending) || (failing === count && ending !== 'killed at the end')
    for (const lines of [0, 5]) {
      const name = `${lines} script lines, ${count} copies, the copy ${failing} ends as: ${ending}`
      const log = [...script(lines), ...copies(count, failing, ending)]
      kinds.push(
        failed(name, log, isKnown ? 'failure' : 'not confirmed', count === 1 && isKnown ? 'failure' : undefined),
      )
    }
  }
  kinds.push(
    failed(`ntfsclone ends as: ${ending}`, ntfsclone(1, ending), isSilent(ending) ? undefined : 'failure', undefined),
  )
}

/** The log as it is read each time when so many lines more are in it. */
function readsOf(lines: readonly string[], step: number, serve: (log: string) => string): string[] {
  const reads: string[] = []
  for (let count = step; count < lines.length; count += step) reads.push(serve(asText(lines.slice(0, count))))
  return [...reads, serve(asText(lines))]
}
const asText = (lines: readonly string[]) => lines.map(line => `${line}\n`).join('')

async function outcomeOf(earlier: string, reads: readonly string[]): Promise<Outcome> {
  const log = new ClientLog(lineReader([]))
  await log.read(Buffer.from(earlier))
  for (const [at, text] of reads.entries()) await log.read(Buffer.from(text), at === reads.length - 1)
  const { result, reason } = log.verdict
  return result === 'success' && reason !== undefined ? 'not confirmed' : result
}

/** A log has nothing of an earlier command, or another copy, or the same one. */
const before = [[], partclone(7), partclone(1)].map(asText)

const test = suite(`${kinds.length} kinds of logs, served whole and as a page`)

for (const [at, serve] of [(log: string) => log, asPage].entries()) {
  const served = at === 0 ? 'the whole log' : 'the page'

  test(`${served}: no failure is called a success, and no success a failure`, async () => {
    const wrong: string[] = []
    for (const { name, lines, isComplete } of kinds) {
      for (const earlier of before) {
        for (const step of [1, 4, 1000]) {
          const outcome = await outcomeOf(serve(earlier), readsOf(lines, step, serve))
          if (outcome === (isComplete ? 'failure' : 'success')) wrong.push(`${name}, ${step} lines a time: ${outcome}`)
        }
      }
    }
    equal(wrong, [])
  })

  test(`${served}: what can be known is known, and the rest is not confirmed`, async () => {
    for (const { name, lines, expected } of kinds) {
      const outcome = await outcomeOf(serve(''), readsOf(lines, 4, serve))
      equal([name, outcome], [name, expected[at] ?? outcome])
    }
  })
}

test.run()
