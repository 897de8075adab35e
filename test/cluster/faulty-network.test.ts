// A short run of three hosts on lines that fail, and what finds faults in the histories of such runs.
import { spawnSync } from 'node:child_process'
import { suite } from 'uvu'
import { equal, ok } from 'uvu/assert'
import { postgresPrograms } from '../harness/postgres.ts'
import { skipFile } from '../harness/skip-file.ts'
import { findContradiction, type RegisterCall } from '../tools/faulty-network/register-model.ts'
import { nodeArguments } from '../tools/runner/bundled-file.ts'

export const runs = { seconds: 40 }

if (postgresPrograms === undefined) skipFile('postgresql')
const tried = spawnSync('unshare', ['--net', 'tc', 'qdisc', 'add', 'dev', 'lo', 'clsact'])
if (tried.status !== 0) skipFile(process.getuid?.() === 0 ? 'tc' : 'root')

const call = (type: RegisterCall['type'], value: string, began: number, ended: number): RegisterCall => ({
  ...{ type, value, began, ended },
})
const never = Number.POSITIVE_INFINITY

const test = suite('lines that fail')

test('a history that one order of its calls explains is right', () => {
  const both = [call('write', 'a', 1, 4), call('write', 'b', 2, 3), call('read', 'a', 5, 6), call('read', 'a', 7, 8)]
  equal(findContradiction(both, ''), undefined)
  const meanwhile = [call('read', '', 0, 1), call('write', 'a', 1, 9), call('read', 'a', 2, 3), call('read', 'a', 4, 5)]
  equal(findContradiction(meanwhile, ''), undefined)
  const unknown = [call('write', 'a', 1, never), call('read', '', 2, 3), call('read', 'a', 4, 5)]
  equal(findContradiction([...unknown, call('write', 'b', 2, never)], ''), undefined)
})

test('a lost write, an old value and a value that comes back are found', () => {
  const lost = [call('write', 'a', 1, 2), call('write', 'b', 3, 4), call('read', 'a', 5, 6)]
  equal(findContradiction(lost, ''), lost[2])
  const old = [call('write', 'a', 1, 9), call('read', 'a', 2, 3), call('read', '', 4, 5)]
  equal(findContradiction(old, ''), old[2])
  const returned = [call('write', 'a', 1, never), call('read', 'a', 2, 3), call('write', 'b', 4, 5)]
  const again = [...returned, call('read', 'b', 6, 7), call('read', 'a', 8, 9)]
  equal(findContradiction(again, ''), again[4])
})

const seed = Math.floor(Math.random() * 1e9)

test(`nothing that the hosts promise is broken with the seed ${seed}`, () => {
  const program = nodeArguments('test/tools/faulty-network/main.ts')
  const options = ['--seed', String(seed), '--phases', '4']
  const { stdout, stderr } = spawnSync(process.execPath, [...program, ...options], { encoding: 'utf8' })
  console.log(stdout)
  ok(stdout.endsWith('1 passed, 0 failed\n'), stdout + stderr)
})

test.run()
