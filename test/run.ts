// Runs each test file in a process of its own, and ends with how many tests passed and failed.
//
// uvu says success for a file whose hook threw, whose suite was never run or that has `.only` left in it, and waits
// for ever for a test that never ends: here such a file fails.
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, relative } from 'node:path'

const folder = import.meta.dirname
const fileMilliseconds = 90_000
/** One more than there are cores: several files mostly wait, for a disk, a deadline or a slow caller. */
const workers = availableParallelism() + 1

interface Count {
  passed: number
  failed: number
  output: string
}

/** Arguments choose the files whose path below test/ contains one of them. */
const wanted = process.argv.slice(2)
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.test.ts') && (wanted.length === 0 || wanted.some(part => name.includes(part))))
  .sort()
  .map(name => join(folder, name))

function runFile(file: string): Promise<Count> {
  const child = spawn(process.execPath, ['--import', 'tsx', file], { env: { ...process.env, NO_COLOR: '1' } })
  let output = ''
  child.stdout.on('data', chunk => (output += chunk))
  child.stderr.on('data', chunk => (output += chunk))
  const timer = setTimeout(() => {
    output += `\nended after ${fileMilliseconds / 1000} s\n`
    child.kill('SIGKILL')
  }, fileMilliseconds)
  return new Promise(resolve => {
    child.on('close', code => {
      clearTimeout(timer)
      resolve(count(file, output, code))
    })
  })
}

function count(file: string, output: string, code: number | null): Count {
  const number = (name: string) => Number(new RegExp(`^\\s*${name}:\\s+(\\d+)`, 'm').exec(output)?.[1] ?? 0)
  const [total, passed, skipped] = [number('Total'), number('Passed'), number('Skipped')]
  // A file that awaits after its first suite makes uvu run what it has so far, and then the rest.
  const summaries = output.match(/^\s*Total:/gm)?.length ?? 0
  const source = readFileSync(file, 'utf8')
  const forgotten = source.split(/\bsuite\(/).length - source.split(/\.run\(\)/).length
  const broken = [
    ...(total === 0 ? ['no test ran'] : []),
    ...(summaries > 1 ? [`${summaries} summaries: await everything before the first suite`] : []),
    ...(skipped > 0 ? [`${skipped} tests were skipped`] : []),
    ...(forgotten > 0 ? [`${forgotten} suites are never run`] : []),
    ...(code !== 0 && total === passed ? [`exit code ${code}`] : []),
  ]
  return {
    passed,
    failed: total - passed + broken.length,
    output: `${output}${broken.map(what => `${relative(folder, file)}: ${what}\n`).join('')}`,
  }
}

async function main(): Promise<void> {
  const counts: Count[] = []
  const queue = [...files]
  const worker = async () => {
    for (let file = queue.shift(); file; file = queue.shift()) {
      const started = Date.now()
      const result = await runFile(file)
      counts.push(result)
      const seconds = ((Date.now() - started) / 1000).toFixed(1)
      console.log(
        `${result.failed === 0 ? 'ok  ' : 'FAIL'} ${relative(folder, file)} ${result.passed} passed, ${seconds} s`,
      )
      if (result.failed > 0) console.log(result.output)
    }
  }
  await Promise.all(Array.from({ length: workers }, worker))
  const sum = (key: 'passed' | 'failed') => counts.reduce((total, result) => total + result[key], 0)
  const failed = sum('failed') + (files.length === 0 ? 1 : 0)
  console.log(`${sum('passed')} passed, ${failed} failed`)
  process.exitCode = failed === 0 ? 0 : 1
}

await main()
