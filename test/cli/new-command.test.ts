// `fleet new-command`: the files that it writes, and where.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match, not } from 'uvu/assert'
import { openShell } from '../harness/cli-shell.ts'
import { declarationFile, declareContract } from '../tools/declare-contract.ts'

const root = resolve(import.meta.dirname, '../..')
const { fleet, programWith, write, folder, remove } = openShell()
const site = join(folder, 'site')

const test = suite('new-command')
test.after(remove)

test('--help prints the usage and writes nothing', async () => {
  const { code, out } = await fleet('new-command', '--help')
  is(code, 0)
  match(out, /^Usage: fleet new-command \[options\] \[name\]\n[\s\S]*--folder <folder>/)
  is(existsSync(site), false)
})

test('the written command is valid', async () => {
  is((await fleet('new-command', 'kernel-version', '--folder', site)).code, 0)
  const { code, out } = await fleet('check-commands', site)
  equal([code, out], [0, `${join(site, 'kernel-version.ts')}: kernel-version serves POST /kernel/version\n`])
})

/** The first line of the compiler's output; '' without an error. */
function checkTypes(name: string): string {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  // With the types' own errors, which would make them `any`.
  const args = [compiler, '--project', join(folder, name), '--skipLibCheck', 'false', '--pretty', 'false']
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  is(status === 0, stdout === '', stdout)
  return stdout.split('\n')[0] ?? ''
}

test('the types are those of the contract: after a change of it, npm run declare-contract writes them anew', () => {
  is(readFileSync(declarationFile, 'utf8'), declareContract())
})

test('its folder passes a type check wherever it is copied, as it names no path', () => {
  cpSync(site, join(folder, 'copied/commands'), { recursive: true })
  is(checkTypes('copied/commands'), '')
  for (const file of ['tsconfig.json', 'fleet-host.d.ts'])
    for (const path of [root, folder]) not.match(readFileSync(join(site, file), 'utf8'), path)
})

test('the types find mistakes, and leave imports of node: modules unchecked', () => {
  const source = readFileSync(join(site, 'kernel-version.ts'), 'utf8')
  write('copied/commands/kernel-version.ts', source.replace("reply.out ?? ''", 'reply.out'))
  match(checkTypes('copied/commands'), /^\S*kernel-version\.ts\(\d+,\d+\): error TS2345: .*'string \| undefined'/)
  write('copied/commands/kernel-version.ts', `import { hostname } from 'node:os'\n${source}\nhostname()\n`)
  is(checkTypes('copied/commands'), '')
})

test('a command of a pack has the types of its settings and collections', () => {
  const source = `import type { CommandOf, Pack } from 'fleet-host'
const pack = { contract: 3, summary: 'Lab', version: '1.0.0',
  settings: { type: 'object', required: ['hour'], properties: { hour: { type: 'integer' }, limit: { type: 'integer', default: 5 },
    mail: { type: 'object', default: {}, properties: { port: { type: 'integer', default: 25 }, to: { type: 'string' } } } } },
  collections: { doors: { type: 'object', required: ['open'], properties: { open: { type: 'boolean' } } } },
} as const satisfies Pack
export default { summary: 'Show', route: 'GET /door',
  async answer({ settings, collections }) {
    const hour: number = settings.hour
    const most: number = settings.limit + settings.mail.port
    const to: string = settings.mail.to ?? ''
    const isOpen: boolean | undefined = (await collections.doors.get('a'))?.value.open
    return { hour, isOpen, most, to }
  },
} satisfies CommandOf<{ pack: typeof pack }>
`
  write('copied/commands/door.ts', source)
  is(checkTypes('copied/commands'), '')
  write('copied/commands/door.ts', source.replace('hour: number', 'hour: string'))
  match(checkTypes('copied/commands'), /^\S*door\.ts\(\d+,\d+\): error TS2322: /)
  write('copied/commands/door.ts', source.replace(" ?? ''", ''))
  match(checkTypes('copied/commands'), /error TS2322: Type 'string \| undefined'/)
})

test('what a command answers has the type of its schema', () => {
  const source = `import type { CommandOf } from 'fleet-host'
const returns = { type: 'object', required: ['free'], properties: { free: { type: 'array', items: { type: 'string' } } } } as const
export default { summary: 'List', route: 'GET /free', returns,
  answer({ services }) {
    if (services.now() < 0) return services.refuse('too early')
    return { free: services.fleet.clients().map(({ addr }) => addr) }
  },
} satisfies CommandOf<{ returns: typeof returns }>
`
  write('copied/commands/door.ts', source)
  is(checkTypes('copied/commands'), '')
  write('copied/commands/door.ts', source.replace('=> addr', '=> addr.length'))
  match(checkTypes('copied/commands'), /^\S*door\.ts\(\d+,\d+\): error TS2322: /)
})

test('--types writes the types of this version only, and no tsconfig.json over another', async () => {
  write('types/fleet-host.d.ts', 'of an earlier version')
  write('types/tsconfig.json', '{}')
  const { code, out } = await fleet('new-command', '--types', '--folder', join(folder, 'types'))
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const file = join(folder, 'types/fleet-host.d.ts')
  equal([code, out], [0, `${file}: the types of fleet-host ${version}\n`])
  equal(readdirSync(join(folder, 'types')), ['fleet-host.d.ts', 'tsconfig.json'])
  is(readFileSync(join(folder, 'types/tsconfig.json'), 'utf8'), '{}')
  is(readFileSync(file, 'utf8'), readFileSync(join(site, 'fleet-host.d.ts'), 'utf8'))
})

test('an existing file is not overwritten', async () => {
  const file = write('site/mine.ts', 'mine')
  const { code, out, error } = await fleet('new-command', 'mine', '--folder', site)
  equal([code, out], [1, ''])
  is(error, `fleet: new-command: ${file}: expected a new file, got an existing one\n`)
  is(readFileSync(file, 'utf8'), 'mine')
})

test('a name that makes no route, or an unknown option, is an error of one line', async () => {
  for (const args of [['Mine'], ['a/b'], ['../x'], ['wol'], [], ['a', 'b'], ['a', '--unknown'], ['a', '--types']]) {
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
