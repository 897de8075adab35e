// Processes that run one test file after the other: what each file reports, and what it leaves behind.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { missingProgramIn } from '../../harness/skip-file.ts'
import { nodeArguments, root } from './bundled-file.ts'
import { type EndedFile, KeptProcess } from './reused-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'reused-process-test-'))
const require = createRequire(import.meta.url)
const head = `import { suite } from ${JSON.stringify(require.resolve('uvu').replace(/\.js$/, '.mjs'))}
const test = suite('written')
`

let files = 0

/** A file with one test that has the body `text`, or with a text of its own. */
function write(text: string, tests = `test('one', async () => { ${text} })\ntest.run()\n`, begin = head): string {
  files += 1
  const file = join(folder, `${files}.mjs`)
  writeFileSync(file, `${begin}${tests}`)
  return file
}

const milliseconds = 60_000

/** Runs the files in one process. `problem` is what is reported of the process at its end. */
async function runAll(...list: string[]): Promise<{ ended: EndedFile[]; problem: string | undefined }> {
  const kept = new KeptProcess({})
  const ended: EndedFile[] = []
  for (const file of list) ended.push(await kept.run(file, milliseconds))
  return { ended, problem: await kept.end(milliseconds) }
}

const test = suite('kept processes')
test.after(() => rmSync(folder, { recursive: true, force: true }))

test('each file reports its own tests, its output and its processor time', async () => {
  const [first, second] = [write("console.error('first')"), write("throw new Error('second')")]
  const { ended, problem } = await runAll(first, second, write(''))
  equal(
    ended.map(({ code }) => code),
    [0, 1, 0],
  )
  for (const { output } of ended) match(output, /^ {2}Total: {5}1$/m)
  equal(
    ended.map(({ output }) => /first|Error: second/.exec(output)?.[0] ?? (/second/.exec(output) && 'second')),
    ['first', 'second', null],
  )
  ok(ended.every(({ cpu }) => cpu === undefined || cpu < 60))
  is(problem, undefined)
})

test('a file that skips itself ends its process and is no failure, also after another file', async () => {
  const skipping = write('', "console.log('skipped: no chromium')\nprocess.exit(0)\n")
  const { ended, problem } = await runAll(write(''), skipping)
  equal([ended[1]?.code, missingProgramIn(ended[1]?.output ?? ''), problem], [0, 'chromium', undefined])
})

test('the output of a file that failed ends with the files before it', async () => {
  const { ended } = await runAll(write(''), write("throw new Error('second')"))
  match(ended[1]?.output ?? '', new RegExp(`\\nEarlier in this process:\\n\\S*${files - 1}\\.mjs\\n$`))
})

test('a file finds the environment of the process, whatever an earlier one has set', async () => {
  const hours = `if (new Date(0).getHours() !== ${new Date(0).getHours()}) throw new Error(process.env.TZ)`
  const { ended } = await runAll(write(hours), write("process.env.TZ = 'Pacific/Kiritimati'"), write(hours))
  equal(
    ended.map(({ code }) => code),
    [0, 0, 0],
  )
})

test('an error that nothing catches ends the process, and is one of the file that ran', async () => {
  const { ended, problem } = await runAll(
    write("setImmediate(() => { throw new Error('lost') }); await new Promise(() => {})"),
  )
  is(ended[0]?.code, 1)
  match(ended[0]?.output ?? '', /Error: lost/)
  is(problem, undefined)
})

test('a file whose test waits for what never comes ends, and says so', async () => {
  const { ended } = await runAll(write(''), write('await new Promise(() => {})'))
  is(ended[1]?.code, 1)
  match(ended[1]?.output ?? '', /Exiting early before testing is finished/)
})

test('the errors of tests before one that waits for what never comes are printed', async () => {
  const suites = nodeArguments('test/tools/runner/suites.ts').at(-1) ?? ''
  const lines = [
    `import { suite } from ${JSON.stringify(pathToFileURL(resolve(root, suites)).href)}`,
    "const test = suite('kept')",
    "test('first', () => { throw new Error('of the first') })",
    "test('second', () => new Promise(() => {}))",
    'test.run()',
  ]
  const [ended] = (await runAll(write('', lines.join('\n'), ''))).ended
  is(ended?.code, 1)
  match(ended?.output ?? '', /Exiting early before testing is finished\.\nfirst: Error: of the first\n {4}at /)
})

test('a file that takes longer than its time is ended', async () => {
  const environment = {}
  const kept = new KeptProcess(environment)
  is(kept.canRun(environment), true)
  const { code, output } = await kept.run(write('setInterval(() => {}, 1000); await new Promise(() => {})'), 1500)
  is(code, null)
  match(output, /killed after 1\.5 s/)
  is(kept.canRun(environment), false)
  is(await kept.end(milliseconds), undefined)
})

test('a file that awaits something after its first suite fails', async () => {
  const late = `test.run()\nawait new Promise(resolve => setTimeout(resolve, 10))\nsuite('second').run()\n`
  const { ended } = await runAll(write('', `test('one', () => {})\n${late}`))
  is(ended[0]?.code, 1)
  match(ended[0]?.output ?? '', /expected everything to be awaited before the first suite/)
})

test('what a file leaves behind is a problem of the process', async () => {
  const kept = new KeptProcess({})
  is((await kept.run(write('setInterval(() => {}, 1000)'), milliseconds)).code, 0)
  match((await kept.end(500)) ?? '', /killed after 0\.5 s[\s\S]*expected to end with 0, got a signal/)
  // The process is disconnected when it has run its last file.
  const late = "process.once('disconnect', () => setTimeout(() => { throw new Error('too late') }, 10))"
  const { problem } = await runAll(write(late))
  match(problem ?? '', /Error: too late[\s\S]*expected to end with 0, got 1/)
})

test('what a file leaves behind that failed is no second problem, and disturbs no other file', async () => {
  const environment = {}
  const kept = new KeptProcess(environment)
  is((await kept.run(write("setInterval(() => {}, 1000); throw new Error('failed')"), milliseconds)).code, 1)
  is(kept.canRun(environment), false)
  is(await kept.end(500), undefined)
})

test.run()
