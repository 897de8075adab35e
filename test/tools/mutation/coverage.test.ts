// Which tests the program that changes the source chooses, and what it changes.
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { transformSync } from 'esbuild'
import { suite } from 'uvu'
import { equal, is, ok } from 'uvu/assert'
import { readSource, root } from '../../harness/source-files.ts'
import { addPositions, type Coverage, hashOf, hashOfSources, readCoverage } from './coverage.ts'
import { createCoveringTests } from './covering-tests.ts'
import { executedIn } from './executed-positions.ts'
import { endProcessesWith } from './marked-processes.ts'
import { decodeMappings } from './source-map.ts'

const folder = mkdtempSync(join(tmpdir(), 'fleet-coverage-'))

const test = suite('mutation: which tests execute a change')
test.after(() => rmSync(folder, { recursive: true, force: true }))

const file = 'host/system/throttle.ts'
const self = 'test/tools/mutation/coverage.test.ts'
const lines = readSource(file).split('\n')
/** Where the text stands for the first time. */
const place = (text: string) => {
  const index = lines.findIndex(line => line.includes(text))
  return { line: index + 1, column: lines[index]?.indexOf(text) ?? 0 }
}
const changeAt = (text: string) => ({ file, ...place(text), start: 0, end: 0, before: text, after: '' })

test('each position of a source map is that of the same word in source and output', () => {
  const source = 'interface Unused {}\nconst first: number = 1\n\nexport const second = (first + 22) * 3\n'
  const { code, map } = transformSync(source, { loader: 'ts', sourcemap: true, minifyWhitespace: true })
  const { mappings } = JSON.parse(map)
  const segments = decodeMappings(
    mappings,
    code.split('\n').map(line => line.length),
  )
  const sourceLines = source.split('\n')
  const words = segments.map(({ offset, line, column }) => [code.slice(offset), sourceLines[line - 1]?.slice(column)])
  const numbers = words.filter(([output = '']) => /^\d/.test(output))
  equal(
    numbers.map(([output = '', input = '']) => [Number.parseInt(output, 10), Number.parseInt(input, 10)]),
    [1, 22, 3].map(number => [number, number]),
  )
})

test('what a process has executed is known by position, over a file that keeps it', () => {
  const script = join(folder, 'script.mts')
  const run = (text: string, name: string) => {
    writeFileSync(script, text)
    const env = { ...process.env, NODE_V8_COVERAGE: join(folder, name) }
    execFileSync(process.execPath, ['--import', 'tsx', script], { cwd: root, env })
    return executedIn(join(folder, name))
  }
  const path = join(root, file)
  const coverage: Coverage = { hash: hashOfSources(), code: {}, tests: {} }
  const entry = () => ({ hash: hashOf(readSource(self)), passed: true, milliseconds: 1, seconds: 1, executed: {} })
  const isCovered = (text: string) => createCoveringTests(coverage)(changeAt(text)).includes(self)
  const state = () => ['= 100_000', 'this.#counts.size >=', 'return 1', 'entry.count += 1'].map(isCovered)
  addPositions(coverage, self, entry(), run(`import '${path}'`, 'loaded'))
  equal(state(), [true, false, false, false])
  addPositions(coverage, self, entry(), run(`import { Counts } from '${path}'\nnew Counts().add('x')`, 'used'))
  equal(state(), [true, true, true, false])

  const kept = join(folder, 'coverage.json')
  writeFileSync(kept, JSON.stringify(coverage))
  equal(readCoverage(kept), coverage)
  writeFileSync(kept, readFileSync(kept, 'utf8').replace(entry().hash, hashOf('an earlier text')))
  equal(readCoverage(kept).tests, {})
})

test('processes with a value of a variable are ended, others are not', async () => {
  const start = (value: string) => {
    const child = spawn('sleep', ['60'], { detached: true, env: { ...process.env, FLEET_MUTATION_TEST: value } })
    return { child, ended: new Promise(resolve => child.once('exit', (_code, signal) => resolve(signal))) }
  }
  const [one, other] = [start(`${folder} one`), start(`${folder} other`)]
  endProcessesWith('FLEET_MUTATION_TEST', `${folder} one`)
  is(await one.ended, 'SIGKILL')
  is(other.child.exitCode, null)
  ok(other.child.kill('SIGKILL'))
  await other.ended
})

test.run()
