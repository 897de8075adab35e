// The package that `npm pack` makes: its files, and its daemon and `fleet` installed without the rest of the repository.
import { type ExecFileSyncOptions, execFileSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match, throws } from 'uvu/assert'
import { endPrograms, newFolder, type ProgramOptions, removeFolder, startProgram } from '../harness/daemon-process.ts'

export const runs = { seconds: 34 }

const root = resolve(import.meta.dirname, '../..')
const folder = newFolder()
const installed = join(folder, 'lib/node_modules/fleet-host')
const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'))

const test = suite('package')
test.after(async () => {
  await endPrograms()
  removeFolder(folder)
})

function run(file: string, args: string[], options: ExecFileSyncOptions = {}): string {
  return execFileSync(file, args, { cwd: folder, encoding: 'utf8', stdio: 'pipe', ...options }).toString()
}

const fleet = (args: string[], env: Record<string, string> = {}) =>
  run(join(folder, 'bin/fleet'), args, { env: { ...process.env, ...env } })

/** The files below a folder of the repository. */
const list = (name: string) =>
  readdirSync(join(root, name), { recursive: true, encoding: 'utf8' })
    .map(path => join(name, path))
    .filter(path => statSync(join(root, path)).isFile())

test('npm pack packs everything that the daemon and fleet need, and no tests', () => {
  const [{ filename, files }] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: root }))
  const folders = ['boot-templates', 'commands', 'docs', 'host', 'stores']
  const expected = [...folders.flatMap(list), 'CHANGELOG.md', 'LICENSE', 'README.md', 'package.json']
  equal(files.map(({ path }: { path: string }) => path).sort(), expected.sort())
  mkdirSync(installed, { recursive: true })
  run('tar', ['-xzf', filename, '-C', installed, '--strip-components=1'])
})

test('it is installed with the packages of dependencies only, as npm install --global does', () => {
  const { packages } = readJson(join(root, 'package-lock.json'))
  // A package in the folder of another is copied with that.
  const paths = Object.keys(packages).filter(path => /^node_modules\/(?!.*node_modules)/.test(path))
  const needed = paths.filter(path => !packages[path].dev && existsSync(join(root, path)))
  run('cp', ['-a', '--parents', ...needed, installed], { cwd: root })
  const { bin } = readJson(join(installed, 'package.json'))
  mkdirSync(join(folder, 'bin'))
  symlinkSync(join(installed, bin.fleet), join(folder, 'bin/fleet'))
})

test('the installed fleet prints its version and its help', () => {
  is(fleet(['--version']), `${readJson(join(root, 'package.json')).version}\n`)
  match(fleet(['--help']), /^Usage: fleet /)
})

const commands: NonNullable<ProgramOptions['command']>[] = [
  [process.execPath, '--import', 'tsx', 'host/main.ts'],
  [join(folder, 'bin/fleet'), 'serve'],
]
for (const command of commands) {
  test(`the installed daemon starts with ${command.at(-1)}, and fleet calls it`, async () => {
    const token = 'of-the-package'
    const daemon = startProgram(folder, { command, root: installed, env: { FLEET_API_TOKEN: token } })
    const env = { FLEET_URL: `http://127.0.0.1:${await daemon.port()}`, FLEET_API_TOKEN: token }
    is((await daemon.call(token, 'GET /clients')).status, 200)
    match((await daemon.call(token, 'GET /agent/install.sh')).text, /^#!\/bin\/sh\n/)
    match(fleet(['clients'], env), /^none$/m)
    match(fleet(['modes'], env), /^pxe$/m)
    daemon.kill('SIGTERM')
    equal(await daemon.ended, { code: 0, signal: null })
    is(daemon.errors(), '')
  })
}

test('the installation takes less than 35 MB without the packages of PostgreSQL and MySQL', () => {
  const sizes = readdirSync(installed, { recursive: true, encoding: 'utf8' }).map(path =>
    lstatSync(join(installed, path)),
  )
  const bytes = sizes.reduce((sum, stats) => sum + (stats.isFile() ? stats.size : 0), 0)
  is(bytes < 35_000_000, true, `expected less than 35 MB, got ${bytes} bytes`)
})

test('an adapter or import whose packages are not installed says in one line what to install', async () => {
  const { peerDependencies } = readJson(join(root, 'package.json'))
  const store = { adapter: 'postgres', url: 'postgres:///fleet', path: './data' }
  const daemon = startProgram(folder, { command: commands[1], root: installed, options: { store } })
  is((await daemon.ended).code, 1)
  match(
    daemon.errors(),
    /^fleet-host: store\.adapter postgres: expected packages .* npm install --global [^\n]*pg@.*\n$/,
  )
  throws(
    () => fleet(['store', 'import-ogadmbd', 'mysql://importer@127.0.0.1/ogAdmBD']),
    new RegExp(`npm install --global mysql2@${peerDependencies.mysql2}\n$`),
  )
  const sdk = '@modelcontextprotocol/sdk'
  throws(() => fleet(['mcp']), new RegExp(`npm install --global ${sdk}@${peerDependencies[sdk]}\n$`))
})

test('the installed fleet writes a command that passes the checks of the daemon and of an editor', () => {
  const site = join(folder, 'site')
  fleet(['new-command', 'kernel-version', '--folder', site])
  match(fleet(['check-commands', site]), /kernel-version serves POST \/kernel\/version\n$/)
  is(run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '--project', site]), '')
})

test.run()
