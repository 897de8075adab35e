// Changes one operator, constant or call of the source at a time, and shows which changes no test notices.
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { sourceFiles } from '../../harness/source-files.ts'
import { ChangedCopy } from './changed-copy.ts'
import { type Change, changesIn } from './changes.ts'
import { Compiler } from './compiler.ts'
import { type Coverage, readCoverage } from './coverage.ts'
import { createCoveringTests } from './covering-tests.ts'

const usage = `node --import tsx test/tools/mutation/main.ts [options]

  --count N       how many changes are tested (20)
  --seed N        selects the changes; printed, random by default
  --files PARTS   only files whose path contains one of PARTS, separated by commas
  --without PARTS no files whose path contains one of PARTS
  --only NUMBERS  only these of the changes, separated by commas
  --seconds N     tests of a change take at most N seconds of processor time in all (all tests that execute it)
  --coverage FILE keeps which tests execute what (a file in the folder for temporary files)
  --list          prints the changes with their tests, and tests nothing`

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    count: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e6)) },
    files: { type: 'string', default: '' },
    without: { type: 'string' },
    only: { type: 'string' },
    seconds: { type: 'string', default: 'Infinity' },
    coverage: { type: 'string', default: join(tmpdir(), 'fleet-host-coverage.json') },
  },
})

const coverageFile = resolve(values.coverage)
const workers = 2

/** A number generator with a seed (mulberry32): from 0 to below 1. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const isSelected = (file: string) =>
  /^(host|stores|commands)\/.*\.ts$/.test(file) &&
  !file.startsWith('host/console/app/') &&
  values.files.split(',').some(part => file.includes(part)) &&
  !values.without?.split(',').some(part => file.includes(part))

function* inRandomOrder(changes: Change[], random: () => number): Generator<Change> {
  const left = [...changes]
  while (left.length > 0) yield* left.splice(Math.floor(random() * left.length), 1)
}

/** Of a changed text, which may be a long call. */
const shownCharacters = 80

interface NumberedChange extends Change {
  /** Among the selected changes, counted from 1. */
  number: number
}

const describe = ({ number, file, line, before, after }: NumberedChange) =>
  `#${number} ${file}:${line}: ${before.replace(/\s+/g, ' ').slice(0, shownCharacters)} → ${after === '' ? 'nothing' : after}`

/** Changes that compile. */
async function selectChanges(copy: ChangedCopy): Promise<NumberedChange[]> {
  const compiler = new Compiler(copy.folder)
  const changes = sourceFiles.filter(isSelected).flatMap(file => changesIn(file, compiler.parse(file)))
  const selected: NumberedChange[] = []
  const leftOut = new Map<string, number>()
  for (const change of inRandomOrder(changes, createRandom(Number(values.seed)))) {
    if (selected.length === Number(values.count)) break
    if (change.leftOut !== undefined) {
      leftOut.set(change.leftOut, (leftOut.get(change.leftOut) ?? 0) + 1)
      continue
    }
    const compiles = await copy.with(change, () => compiler.accepts(change.file))
    if (compiles) selected.push({ ...change, number: selected.length + 1 })
  }
  compiler.close()
  console.log(`seed ${values.seed}: ${selected.length} of ${changes.length} changes`)
  for (const [reason, count] of leftOut) console.log(`left out: ${count}, ${reason}`)
  const only = values.only?.split(',').map(Number)
  return selected.filter(({ number }) => !only || only.includes(number))
}

/** So many of the first tests, most of which notice, run before the others are bundled. */
const firstBatches = [3, 9]
const batchSize = 25

function* inBatches<Item>(items: Item[]): Generator<Item[]> {
  const left = [...items]
  for (const size of firstBatches) if (left.length > 0) yield left.splice(0, size)
  while (left.length > 0) yield left.splice(0, batchSize)
}

/** The first tests that take at most `--seconds` together, and at least one. */
function withinSeconds(tests: string[], coverage: Coverage): string[] {
  let left = Number(values.seconds)
  return tests.filter((test, index) => {
    left -= coverage.tests[test]?.seconds ?? 0
    return index === 0 || left >= 0
  })
}

async function testChange(copy: ChangedCopy, change: Change, tests: string[], coverage: Coverage) {
  const timed = tests.map(file => ({ file, milliseconds: 3 * (coverage.tests[file]?.milliseconds ?? 0) + 10_000 }))
  return copy.with(change, () => copy.findFailing([...inBatches(timed)]))
}

async function testChanges(copies: ChangedCopy[], changes: NumberedChange[], coverage: Coverage): Promise<void> {
  const testsOf = createCoveringTests(coverage)
  const survivors: { change: NumberedChange; reason: string }[] = []
  const queue = [...changes]
  const work = async (copy: ChangedCopy) => {
    for (let change = queue.shift(); change; change = queue.shift()) {
      const executing = testsOf(change)
      const tests = withinSeconds(executing, coverage)
      const failing = tests.length > 0 ? await testChange(copy, change, tests, coverage) : undefined
      const which = tests.length === executing.length ? tests.length : `${tests.length} of ${executing.length}`
      const reason = tests.length === 0 ? 'not executed' : `not noticed by ${which} test files`
      if (failing === undefined) survivors.push({ change, reason })
      console.log(`${describe(change)}: ${failing ?? reason.toUpperCase()}`)
    }
  }
  await Promise.all(copies.map(work))
  console.log(`\n${survivors.length} of ${changes.length} changes were not noticed`)
  survivors.sort((a, b) => a.change.number - b.change.number)
  for (const { change, reason } of survivors) console.log(`${describe(change)}: ${reason}`)
}

async function main(): Promise<void> {
  const first = new ChangedCopy()
  const changes = await selectChanges(first)
  await first.run(['test/tools/mutation/measure-coverage.ts', coverageFile], undefined, text =>
    process.stdout.write(text),
  )
  const coverage = readCoverage(coverageFile)
  if (values.list) {
    const testsOf = createCoveringTests(coverage)
    for (const change of changes) console.log(`${describe(change)}: ${testsOf(change).join(' ')}`)
    return
  }
  const copies = [first, ...Array.from({ length: workers - 1 }, () => new ChangedCopy())]
  // Makes the bundles of the commands before anything is changed.
  for (const copy of copies) await copy.findFailing([])
  await testChanges(copies, changes, coverage)
}

if (values.help) console.log(usage)
else {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  await main()
}
