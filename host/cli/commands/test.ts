// `fleet test`: runs the tests of a folder of modules, each file in a process of its own.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { CliError, orThrow } from '../cli-error.ts'
import { subcommand } from './subcommand.ts'

const kit = (file: string) => fileURLToPath(new URL(`../../test-kit/${file}`, import.meta.url))

export const test = subcommand({
  command: 'test [path]',
  argument: 'a folder, or a test file; default: the working directory',
  description: 'run the tests of modules (*.test.ts)',
  async run({ print, fail, environment }, _flags, path = '.') {
    const files = orThrow(
      () => listTests(resolve(path)),
      reason => new CliError(`test: ${reason}`),
    )
    if (files.length === 0) throw new CliError(`test: ${path}: expected files *.test.ts, got none`)
    const options = ['--import', kit('preload.mjs'), '--test', '--test-reporter', kit('reporter.mjs')]
    const child = spawn(process.execPath, [...options, ...files], {
      env: { ...environment, NODE_NO_WARNINGS: '1' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const closed = once(child, 'close')
    for await (const line of createInterface({ input: child.stdout })) print(line)
    const [code] = await closed
    if (code !== 0) fail()
  },
})

function listTests(path: string): string[] {
  if (statSync(path).isFile()) return [path]
  return readdirSync(path, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules' && !name.startsWith('.'))
    .flatMap(entry => {
      const inner = join(path, entry.name)
      if (entry.isDirectory()) return listTests(inner)
      return /\.test\.m?[jt]s$/.test(entry.name) ? inner : []
    })
    .sort()
}
