// Command files without a daemon: checking them, starting a new one, and the thread that names one that never returns.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { checkCommands } from '../../host/cli/commands/check-commands.ts'
import { newCommand } from '../../host/cli/commands/new-command.ts'
import { saying } from '../harness/site-folder.ts'

const root = resolve(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'fleet-commands-'))
const path = (name: string) => join(folder, name)

async function check(...argv: string[]): Promise<{ failures: number; lines: string[] }> {
  const lines: string[] = []
  return { failures: await checkCommands(argv, line => lines.push(line)), lines }
}

const checks = suite('check-commands')

checks('a good file is told with its route', async () => {
  writeFileSync(path('good.ts'), saying('x', 'GET /good'))
  equal(await check(path('good.ts')), { failures: 0, lines: [`${path('good.ts')}: good serves GET /good`] })
})

checks('asked for help it says how it is used', async () => {
  equal(await check('--help'), { failures: 0, lines: ['usage: check-commands FILE|FOLDER…'] })
})

checks('a folder means the command files in it, the messages are those of the daemon', async () => {
  writeFileSync(path('typo.ts'), "export default { summary: 'x', route: 'GET /typo', anwser() {} }\n")
  writeFileSync(path('wol.ts'), saying('x', 'POST /wol'))
  writeFileSync(path('_part.ts'), 'not a command')
  const { failures, lines } = await check(folder)
  is(failures, 2)
  equal(lines.length, 3)
  match(lines[1] ?? '', /typo\.ts: command: expected answer, got unknown key "anwser"$/)
  match(lines[2] ?? '', /wol\.ts: POST \/wol belongs to .*commands\/wol\.ts$/)
})

checks('what is not there, no command file or no argument at all is told', async () => {
  const { failures, lines } = await check(path('gone.ts'), path('_part.ts'))
  is(failures, 2)
  match(lines.join('\n'), /ENOENT.*gone\.ts[\s\S]*_part\.ts: its name is no command file's/)
  is((await check()).failures, 1)
})

checks('the built-in commands are right, as seen from the shell', () => {
  const script = join(root, 'host/cli/commands/check-commands.ts')
  const run = (argument: string) => spawnSync(process.execPath, ['--import', 'tsx', script, argument], { cwd: root })
  const { status, stdout } = run('commands')
  is(status, 0, String(stdout))
  match(String(stdout), /wol serves POST \/wol/)
  is(run(path('typo.ts')).status, 1)
})

checks.run()

const fresh = suite('new-command')
const start = (...argv: string[]) => {
  const lines: string[] = []
  return { code: newCommand(argv, line => lines.push(line)), lines }
}

fresh('asked for help it says how it is used, and writes nothing', () => {
  equal(start('--help'), { code: 0, lines: ['usage: new-command NAME [--folder FOLDER]'] })
})

fresh('writes a command that is right, with what an editor needs for its types', async () => {
  const site = path('site')
  is(start('kernel-version', '--folder', site).code, 0)
  const { lines, failures } = await check(site)
  equal(lines, [`${join(site, 'kernel-version.ts')}: kernel-version serves POST /kernel/version`])
  is(failures, 0)
  const { paths } = JSON.parse(readFileSync(join(site, 'tsconfig.json'), 'utf8')).compilerOptions
  equal(paths['fleet-host'], [join(root, 'host/command.ts')])
})

fresh('what it writes passes the type check of an editor', () => {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const { status, stdout } = spawnSync(process.execPath, [compiler, '--project', path('site')], { cwd: root })
  is(status, 0, String(stdout))
})

fresh('never writes over a file, and refuses names that make no route', () => {
  writeFileSync(path('site/mine.ts'), 'mine')
  is(start('mine', '--folder', path('site')).code, 1)
  is(readFileSync(path('site/mine.ts'), 'utf8'), 'mine')
  for (const argv of [['Mine'], ['a/b'], ['../x'], [], ['a', 'b'], ['a', '--unknown']]) is(start(...argv).code, 1)
})

fresh.run()

const watchdog = suite('watchdog')

watchdog('names the file of code that never returns, and says when the daemon answers again', async () => {
  const program = path('hang.mts')
  writeFileSync(
    program,
    `import { startWatchdog } from '${join(root, 'host/system/watchdog.ts')}'
await startWatchdog(0.2)
process.on('message', () => {
  for (const end = Date.now() + 1500; Date.now() < end; ) Math.random()
})
process.send('ready')
`,
  )
  const child = spawn(process.execPath, ['--import', 'tsx', program], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  let output = ''
  const seen = new Promise<void>(done => {
    child.stdout?.on('data', chunk => {
      output += chunk
      if (/answers again/.test(output)) done()
    })
    child.on('exit', () => done())
  })
  // The watching thread needs a moment to start; hanging begins when the daemon's thread is ready.
  child.once('message', () => child.send('hang'))
  await seen
  child.kill()
  match(output, /no answer for 0\.2 s: \/.*hang\.mts does not return\n[\s\S]*answers again/)
})

watchdog.after(() => rmSync(folder, { recursive: true, force: true }))
watchdog.run()
