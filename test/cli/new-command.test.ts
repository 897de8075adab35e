// `fleet new-command`: the command file that it writes, and where.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { openShell } from '../harness/cli-shell.ts'

const root = resolve(import.meta.dirname, '../..')
const { fleet, programWith, write, folder, remove } = openShell()
const site = join(folder, 'site')

const test = suite('new-command')
test.after(remove)

test('--help prints the usage and writes nothing', async () => {
  const { code, out } = await fleet('new-command', '--help')
  is(code, 0)
  match(out, /^Usage: fleet new-command \[options\] <name>\n[\s\S]*--folder <folder>/)
  is(existsSync(site), false)
})

test('the written command is valid, and a tsconfig.json gives editors its types', async () => {
  is((await fleet('new-command', 'kernel-version', '--folder', site)).code, 0)
  const { code, out } = await fleet('check-commands', site)
  equal([code, out], [0, `${join(site, 'kernel-version.ts')}: kernel-version serves POST /kernel/version\n`])
  const { paths } = JSON.parse(readFileSync(join(site, 'tsconfig.json'), 'utf8')).compilerOptions
  equal(paths['fleet-host'], [join(root, 'host/command.ts')])
})

test('the written command passes the type check of an editor', () => {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const { status, stdout } = spawnSync(process.execPath, [compiler, '--project', site], { cwd: root })
  is(status, 0, String(stdout))
})

test('an existing file is not overwritten', async () => {
  const file = write('site/mine.ts', 'mine')
  const { code, out, error } = await fleet('new-command', 'mine', '--folder', site)
  equal([code, out], [1, ''])
  match(error, /^fleet: new-command: EEXIST.*mine\.ts/)
  is(readFileSync(file, 'utf8'), 'mine')
})

test('a name that makes no route, or an unknown option, is an error of one line', async () => {
  for (const args of [['Mine'], ['a/b'], ['../x'], ['wol'], [], ['a', 'b'], ['a', '--unknown']]) {
    const { code, out, error } = await fleet('new-command', ...args, '--folder', site)
    equal([code, out, error.split('\n').length], [2, '', 2], error)
  }
})

test('the folder is relative to the working directory, in an npm script to where npm was called', async () => {
  const npm = { npm_lifecycle_event: 'new-command', INIT_CWD: join(folder, 'elsewhere') }
  const scripted = await programWith(npm, 'new-command', 'up-time', '--folder', 'site')
  equal([scripted.code, existsSync(join(folder, 'elsewhere/site/up-time.ts'))], [0, true])
  const direct = await programWith(
    { ...npm, npm_lifecycle_event: 'test' },
    'new-command',
    'up-time',
    '--folder',
    'site',
  )
  equal([direct.code, existsSync(join(site, 'up-time.ts'))], [0, true])
})

test('the npm script writes into a folder of where npm was called', () => {
  const args = ['--prefix', root, 'run', '--silent', 'new-command', '--', 'disk-free', '--folder', 'npm']
  const { status, stderr } = spawnSync('npm', args, { cwd: folder })
  equal([status, existsSync(join(folder, 'npm/disk-free.ts'))], [0, true], String(stderr))
})

test.run()
