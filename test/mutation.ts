// Changes one operator, constant or call of the source at a time, and shows which changes no test notices.
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root, sourceFiles } from './harness/source-files.ts'
import { type Change, changesIn } from './mutation/changes.ts'
import { Compiler } from './mutation/compiler.ts'
import { testsOf } from './mutation/covering-tests.ts'
import { TestProcesses } from './mutation/test-processes.ts'

const usage = `node --import tsx test/mutation.ts [options]

  --count N       how many changes are tested (20)
  --seed N        selects the changes; printed, random by default
  --files PARTS   only files whose path contains one of PARTS, separated by commas
  --without PARTS no files whose path contains one of PARTS
  --tests N       at most N test files for a change, those first that name its file (all)
  --list          prints the changes and tests nothing`

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    count: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e6)) },
    files: { type: 'string', default: '' },
    without: { type: 'string' },
    tests: { type: 'string', default: 'Infinity' },
  },
})

/** What the files need beside `node_modules`. */
const copied = ['boot-templates', 'commands', 'docs', 'host', 'stores', 'test', 'package.json', 'tsconfig.json']
const others = ['.ci', '.gitignore', 'biome.json', 'CHANGELOG.md', 'LICENSE', 'README.md', 'package-lock.json']

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

/** Applies the change in the copy, and restores the file afterwards. */
async function withChange<Result>(folder: string, change: Change, run: () => Promise<Result>): Promise<Result> {
  const path = join(folder, change.file)
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.slice(0, change.start) + change.after + text.slice(change.end))
  try {
    return await run()
  } finally {
    writeFileSync(path, text)
  }
}

/** Of a changed text, which may be a long call. */
const shownCharacters = 80

const describe = ({ file, line, before, after }: Change) =>
  `${file}:${line}: ${before.replace(/\s+/g, ' ').slice(0, shownCharacters)} → ${after === '' ? 'nothing' : after}`

async function testChanges(folder: string): Promise<void> {
  const compiler = new Compiler(folder)
  const processes = new TestProcesses(folder)
  const changes = sourceFiles.filter(isSelected).flatMap(file => changesIn(file, compiler.parse(file)))
  console.log(`seed ${values.seed}: ${values.count} of ${changes.length} changes`)
  const survivors: Change[] = []
  let tested = 0
  for (const change of inRandomOrder(changes, createRandom(Number(values.seed)))) {
    if (tested === Number(values.count)) break
    const tests = testsOf(change.file).slice(0, Number(values.tests))
    const outcome = await withChange(folder, change, async () => {
      if (!compiler.accepts(change.file)) return 'not compiled'
      return values.list ? `${tests.length} test files` : processes.findFailing(tests)
    })
    if (outcome === 'not compiled') continue
    tested += 1
    if (outcome === undefined) survivors.push(change)
    console.log(`${describe(change)}: ${outcome ?? `NOT NOTICED by ${tests.length} test files`}`)
  }
  compiler.close()
  if (values.list) return
  console.log(`\n${survivors.length} of ${tested} changes were not noticed`)
  for (const survivor of survivors) console.log(describe(survivor))
}

if (values.help) console.log(usage)
else {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-mutation-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  for (const name of [...copied, ...others]) cpSync(join(root, name), join(folder, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  await testChanges(folder)
}
