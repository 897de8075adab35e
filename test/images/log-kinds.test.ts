// Kinds of logs of copies whose outcome is known: no failure may be called a success, in no way of serving and reading.
import { suite } from 'uvu'
import { equal } from 'uvu/assert'
import { ClientLog } from '../../host/images/client-log.ts'
import { lineReader } from '../../host/images/log-patterns.ts'
import {
  asPage,
  type Ending,
  endingNames,
  fileNames,
  isSilent,
  ntfsclone,
  partclone,
  partcloneInSpanish,
  rsync,
} from '../harness/copy-logs.ts'

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
const copies = (count: number, failing: number, ending?: Ending) =>
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
