// Standard output that cannot be written for a moment: what waits, what is left out, and what the end of a process does.
import { spawnSync } from 'node:child_process'
import {
  closeSync,
  constants,
  mkdirSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { LogOutput, redirect } from '../../host/log/log-output.ts'
import { pollUntil } from '../harness/poll.ts'

const root = resolve(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'fleet-output-'))

const test = suite('log output')
test.after(() => rmSync(folder, { recursive: true }))

/** An output into a pipe, and a function that reads what is in the pipe. */
function open(name: string) {
  const path = join(folder, name)
  spawnSync('mkfifo', [path])
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const descriptor = openSync(path, 'w')
  const gaps: number[] = []
  const output = new LogOutput({
    descriptor,
    resumed(lines) {
      gaps.push(lines)
      output.write(`${lines} left out\n`)
    },
  })
  const chunk = Buffer.alloc(1_000_000)
  const read = () => {
    try {
      return chunk.toString('utf8', 0, readSync(reader, chunk))
    } catch {
      return ''
    }
  }
  return { output, gaps, read, close: () => closeSync(reader) }
}

/** Lines of 100 bytes with their number. */
const lines = (count: number) =>
  Array.from({ length: count }, (_, index) => `${index}`.padEnd(99))
    .join('\n')
    .concat('\n')

test('lines wait for a slow reader and come in their order', async () => {
  const { output, gaps, read } = open('slow')
  const text = lines(10_000)
  output.write(text)
  let received = ''
  await pollUntil(() => {
    received += read()
    return received.length >= text.length
  })
  is(received, text)
  equal(gaps, [])
})

test('lines that do not fit are left out, and their number stands at their place', async () => {
  const { output, gaps, read } = open('stopped')
  output.write(lines(30_000))
  output.write('later\n')
  let received = ''
  await pollUntil(() => {
    received += read()
    return received.endsWith('left out\n')
  })
  const complete = received.split('\n').length - 2
  equal(gaps, [30_001 - complete])
  is(received, `${lines(complete)}${30_001 - complete} left out\n`)
  output.write('new\n')
  is(read(), 'new\n')
})

test('a reader that has gone throws nothing', () => {
  const { output, close } = open('gone')
  close()
  output.write('nobody reads this\n')
  output.end()
})

test('what others write to a stream goes to the output', async () => {
  const { output, read } = open('redirected')
  const stream: NodeJS.WritableStream = Object.create(process.stdout)
  redirect(stream, output)
  await new Promise<void>(written => stream.write(Buffer.from('bytes\n'), () => written()))
  stream.write('text\n')
  is(read(), 'bytes\ntext\n')
})

test('packages behind a link are found at their real path after an output into a pipe', async () => {
  const packages = join(folder, 'packages')
  mkdirSync(packages)
  symlinkSync(packages, join(folder, 'link'))
  for (const name of ['first', 'second']) {
    writeFileSync(join(packages, `${name}.mjs`), 'export default import.meta.url')
    const { default: url } = await import(join(folder, 'link', `${name}.mjs`))
    is(url, pathToFileURL(join(packages, `${name}.mjs`)).href)
    open(name)
  }
})

test('lines that were written just before the end of the process reach a slow reader', () => {
  const program = `
import { LogOutput } from './host/log/log-output.ts'
const output = new LogOutput({ descriptor: 1, resumed() {} })
process.on('exit', () => output.end())
output.write('x'.repeat(99).concat('\\n').repeat(5000) + 'last\\n')
process.exit(0)
`
  const command = `"$0" --import tsx --input-type module -e "$1" | (sleep 0.2; tail -c 105)`
  const { stdout } = spawnSync('sh', ['-c', command, process.execPath, program], { cwd: root, encoding: 'utf8' })
  match(stdout, /x\nlast\n$/)
})

test.run()
