// The process of esbuild ends when nothing is built, and never under a build.
import { readdirSync, readFileSync } from 'node:fs'
import { stop, transform } from 'esbuild'
import { suite } from 'uvu'
import { equal, is, ok } from 'uvu/assert'
import { bundleConsole } from '../../host/console/bundle-console.ts'
import { bundleAgent } from '../../host/linux-agent/service.ts'
import { prepareEsbuild, withEsbuild } from '../../host/system/process/esbuild-process.ts'
import { pollUntil } from '../harness/poll.ts'

const idle = 20 // ms

/** The processes of esbuild that this process has started. */
function processes(): string[] {
  const isOwn = (pid: string): boolean => {
    try {
      return new RegExp(`^\\d+ \\(esbuild\\) [^Z] ${process.pid} `).test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
    } catch {
      // It has ended meanwhile.
      return false
    }
  }
  return readdirSync('/proc').filter(name => /^\d+$/.test(name) && isOwn(name))
}

// That of an earlier file of this process.
await stop()
/** That of the loader for TypeScript, when the file runs without its bundle. */
const others = new Set(processes())
const countProcesses = () => processes().filter(pid => !others.has(pid)).length

const build = async () => (await transform('const a: number = 1', { loader: 'ts' })).code

const test = suite('process of esbuild')

test('it ends some time after the last build, and the next build starts another one', async () => {
  for (let round = 0; round < 2; round += 1) {
    is(await withEsbuild(build, idle), 'const a = 1;\n')
    await pollUntil(() => countProcesses() === 0)
  }
})

test('it does not end while a build runs, however short the others are', async () => {
  let finish = () => {}
  const finished = new Promise<void>(resolve => {
    finish = resolve
  })
  let attempts = 0
  const long = withEsbuild(async () => {
    attempts += 1
    const before = await build()
    await finished
    return [before, await build()]
  }, idle)
  await withEsbuild(build, idle)
  await new Promise(resolve => setTimeout(resolve, 10 * idle))
  is(countProcesses(), 1)
  finish()
  equal([await long, attempts], [['const a = 1;\n', 'const a = 1;\n'], 1])
  await pollUntil(() => countProcesses() === 0)
})

test('it is started in advance when there is none, once', async () => {
  for (let round = 0; round < 3; round += 1) prepareEsbuild()
  await pollUntil(() => countProcesses() > 0)
  is(countProcesses(), 1)
  await withEsbuild(build, idle)
  await pollUntil(() => countProcesses() === 0)
})

test('it does not end while the agent or the console is bundled', async () => {
  for (const bundle of [bundleAgent, bundleConsole]) {
    await withEsbuild(build, 0)
    ok(await bundle())
  }
})

test.run()
