// `fleet test`: runs the tests of modules, as `fleet new-command`, `new-hook` and `new-pack` write them.

import { rejects } from 'node:assert/strict'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { createLab } from '../../host/test-kit/lab.ts'
import { openShell } from '../harness/cli-shell.ts'

const { fleet, write, folder, remove } = openShell()
const site = join(folder, 'site')

const test = suite('fleet test')
test.after(remove)

test('what is written to start from has a test, which passes', async () => {
  for (const [kind, name] of [
    ['command', 'kernel-version'],
    ['hook', 'failed-jobs'],
    ['pack', 'job-count'],
  ]) {
    is((await fleet(`new-${kind}`, `${name}`, '--folder', site)).code, 0)
  }
  const { code, out } = await fleet('test', site)
  equal([code, out.trim().split('\n').at(-1)], [0, '3 passed, 0 failed'], out)
})

test('--score says what a file lacks', async () => {
  const { out } = await fleet(
    'check-commands',
    '--score',
    join(site, 'kernel-version.ts'),
    join(site, 'failed-jobs.ts'),
  )
  match(out, /kernel-version\.ts: .*\n {2}bronze, missing group\n/)
  match(out, /failed-jobs\.ts: .*\n {2}gold\n/)
})

test('a failed test says why, and the exit code is 1', async () => {
  write(
    'wrong/wrong.test.ts',
    "import { test } from 'node:test'\ntest('adds', () => { throw new Error('one too many') })\n",
  )
  const { code, out } = await fleet('test', join(folder, 'wrong'))
  is(code, 1)
  match(out, /^FAIL {2}adds\n +Error: one too many\n[\s\S]*\n0 passed, 1 failed\n$/)
})

test('a file that cannot be loaded counts as a failed test', async () => {
  write('broken/broken.test.ts', 'import { nothing } from "./missing.ts"\nnothing()\n')
  const { code, out } = await fleet('test', join(folder, 'broken'))
  is(code, 1)
  match(out, /missing\.ts[\s\S]*\n0 passed, 1 failed\n$/)
})

test('a lab does not start with a file that cannot be loaded, and says why', async () => {
  write('typo/pack.ts', "export default { contract: 3, sumary: 'Typo', version: '1.0.0' }\n")
  await rejects(createLab({ folder: join(folder, 'typo') }), /^Error: startLab: .*pack\.ts:1: pack: .*summary/)
})

test('a folder without tests is an error, and one that does not exist', async () => {
  match((await fleet('test', join(folder, 'broken/none'))).error, /^fleet: test: .*no such file/)
  write('empty/note.txt', '')
  match((await fleet('test', join(folder, 'empty'))).error, /expected files \*\.test\.ts, got none/)
})

test.run()
