// `fleet check-commands`: checking command files without a daemon.
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { openShell } from '../harness/cli-shell.ts'
import { textCommand } from '../harness/site-folder.ts'

export const runs = { seconds: 19 }

const root = resolve(import.meta.dirname, '../..')
const { fleet, program, write, folder, remove } = openShell()
const typo = write('site/typo.ts', "export default { summary: 'x', route: 'GET /typo', anwser() {} }\n")

async function check(...paths: string[]): Promise<{ code: number | null; lines: string[] }> {
  const { code, out } = await fleet('check-commands', ...paths)
  return { code, lines: out.split('\n').slice(0, -1) }
}

const test = suite('check-commands')
test.after(remove)

test('a valid file is listed with its route', async () => {
  const file = write('site/good.ts', textCommand('x', 'GET /good'))
  equal(await check(file), { code: 0, lines: [`${file}: good serves GET /good`] })
})

test('--help prints the usage', async () => {
  const { code, out } = await fleet('check-commands', '--help')
  is(code, 0)
  match(out, /^Usage: fleet check-commands \[options\] <files\.\.\.>\n/)
})

test('a folder stands for its command files, and the messages are those of the daemon', async () => {
  write('site/wol.ts', textCommand('x', 'POST /wol'))
  write('site/_part.ts', 'not a command')
  const { code, lines } = await check(resolve(folder, 'site'))
  is(code, 1)
  equal(lines.length, 3)
  match(lines[1] ?? '', /typo\.ts:1: command: expected answer, got unknown key "anwser"$/)
  match(lines[2] ?? '', /wol\.ts: POST \/wol belongs to .*commands\/wol\.ts$/)
})

test('an error with a line names the file once', async () => {
  const file = write('comma/comma.ts', "export default { summary: 'x',, route: 'GET /comma' }\n")
  equal(await check(file), { code: 1, lines: [`${file}:1: Expected identifier but found ","`] })
})

const packFile = "export default { contract: 3, summary: 'x', version: '1.0.0' }\n"

test('hooks, views and packs are checked, a pack with its files', async () => {
  const pack = write('kinds/lab/pack.ts', packFile)
  const hook = write('kinds/lab/tidy.ts', "export default { summary: 'x', every: '1 day', run() {} }\n")
  const view = write('kinds/disks.ts', "export default { summary: 'x', title: 'Disks', view: 'overview', data() {} }\n")
  const hookLine = `${hook}: tidy runs every 1 day`
  const packLines = [`${pack}: lab is the pack of its folder`, hookLine]
  equal((await check(resolve(folder, 'kinds'))).lines, [`${view}: disks shows Disks (overview)`, ...packLines])
  equal((await check(resolve(folder, 'kinds/lab'))).lines, packLines)
  equal(await check(hook), { code: 0, lines: [hookLine] })
  write('kinds/lab/pack.ts', packFile.replace('3', '4'))
  const { code, lines } = await check(resolve(folder, 'kinds/lab'))
  is(code, 1)
  match(
    lines.join('\n'),
    /^\S+pack\.ts:1: contract: expected at most 3, .*\n\S+tidy\.ts: not in service, as the pack lab has an error$/,
  )
})

test('keys of contract 2 are no error, and named with what to write instead', async () => {
  const file = write('old/old.ts', "export default { summary: 'x', route: 'GET /old', rest: true, answer() {} }\n")
  const { code, lines } = await check(file)
  equal([code, lines[0]], [0, `${file}: old serves GET /old`])
  match(lines[1] ?? '', /old\.ts:1: rest: write http: \{ rest: true \} for rest: /)
})

test('a missing file and a file that is not a command are errors, no argument is a usage error', async () => {
  const { code, lines } = await check(resolve(folder, 'gone.ts'), write('site/_part.ts', 'not a command'))
  is(code, 1)
  equal(lines.length, 2)
  match(lines.join('\n'), /ENOENT.*gone\.ts[\s\S]*_part\.ts: not a module file/)
  const { code: usageCode, out, error } = await fleet('check-commands')
  equal([usageCode, out], [2, ''])
  match(error, /^fleet: missing required argument 'files'\n$/)
})

test('the built-in commands are valid when the npm script checks them', () => {
  const npm = (argument: string) =>
    spawnSync('npm', ['run', '--silent', 'check-commands', '--', argument], { cwd: root })
  const { status, stdout } = npm('commands')
  is(status, 0, String(stdout))
  match(String(stdout), /wol serves POST \/wol/)
  is(npm(typo).status, 1)
})

test('the program exits with 1 when a file has an error', async () => {
  const { code, out, error } = await program('check-commands', 'site/typo.ts')
  equal([code, error], [1, ''])
  match(out, /typo\.ts:1: command: expected answer/)
})

test.run()
