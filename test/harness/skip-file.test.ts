// Test files that need a program which the machine lacks: skipped visibly, and no failure.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { missingProgramIn } from './skip-file.ts'

export const runs = { seconds: 13 }

const runner = join(import.meta.dirname, '../run.ts')

const test = suite('skipped test files')

test('without chromium its file is skipped, which the summary shows above the counts', () => {
  const args = ['--import', 'tsx', runner, 'http/foreign-page']
  const { stdout, status } = spawnSync(process.execPath, args, {
    env: { ...process.env, CHROMIUM: '/nowhere/chromium' },
    encoding: 'utf8',
  })
  const lines = stdout.trimEnd().split('\n')
  equal(lines.slice(-2), ['http/foreign-page.test.ts skipped: no chromium', '0 passed, 0 failed'])
  equal([lines.some(line => line.startsWith('skip http/foreign-page.test.ts')), status], [true, 0])
})

test('only a known program may be missing, and no test may have run', () => {
  is(missingProgramIn('skipped: no chromium\n'), 'chromium')
  for (const output of ['', 'skipped: no time\n', ' suite  • \n\n  Total:     1\nskipped: no chromium\n']) {
    is(missingProgramIn(output), undefined)
  }
})

test.run()
