// The options of the agent for Linux: arguments, environment and file, and what it prints for wrong ones.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match, not } from 'uvu/assert'
import { logFile } from '../../host/agent-program/agent-log.ts'
import { readOptions } from '../../host/agent-program/agent-options.ts'
import { bundleAgent } from '../../host/linux-agent/service.ts'

const folder = mkdtempSync(join(tmpdir(), 'agent-options-'))
const file = join(folder, 'agent.json')
const program = join(folder, 'fleet-agent')
const code = await bundleAgent()
writeFileSync(program, code, { mode: 0o755 })

/** In an empty environment. */
function run(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: {},
  })
  return { status, stdout, stderr }
}

const test = suite('options of the agent for Linux')
test.after(() => rmSync(folder, { recursive: true }))

test('arguments come before the environment, that before the file, that before the defaults', () => {
  const content = { server: 'from-file', port: 1000, 'log-level': 'debug', disks: 'no' }
  writeFileSync(file, JSON.stringify(content))
  const environment = { FLEET_AGENT_CONFIG: file, FLEET_AGENT_PORT: '2000', FLEET_AGENT_LOG_LEVEL: 'error' }
  equal(
    readOptions(['--log-level', 'info', '--local-address', '127.0.0.9'], environment, { 'reboot-command': 'reboot' }),
    {
      server: 'from-file',
      port: 2000,
      localAddress: '127.0.0.9',
      interface: '',
      logFile: '',
      logLevel: 'info',
      poweroffCommand: '',
      rebootCommand: 'reboot',
      disks: false,
      hello: true,
      url: '',
      trialSeconds: 30,
      live: false,
      root: '/',
    },
  )
})

for (const [args, problem] of [
  [[], 'server: expected an address, got nothing'],
  [['--server', 'a', '--port', '70000'], '--port: expected a port, got 70000'],
  [['--server', 'a', '--log-level', 'all'], '--log-level: expected one of error, info, debug, got all'],
  [['--server', 'a', '--local-address', '::1'], '--local-address: expected an IPv4 address, got ::1'],
  [['--server', 'a', '--disks', 'maybe'], '--disks: expected yes or no, got maybe'],
  [['--server', 'a', '--url', 'fleet'], '--url: expected an address such as https://fleet.example.org, got fleet'],
  [['--server', 'a', '--trial-seconds', '0'], '--trial-seconds: expected 1 to 600, got 0'],
] as const) {
  test(`the program ends with code 1 and one line: ${problem}`, () => {
    equal(run(...args), { status: 1, stdout: '', stderr: `fleet-agent: ${problem}\n` })
  })
}

test('an option that does not exist, as an argument or in the file, is an error', () => {
  match(run('--nothing').stderr, /^fleet-agent: Unknown option '--nothing'/)
  writeFileSync(file, '{"nothing": 1}')
  match(run('--config', file).stderr, /agent\.json: expected one of server, port, .*, got nothing\n$/)
  match(run('--config', join(folder, 'missing')).stderr, /missing: ENOENT/)
  writeFileSync(file, '{')
  match(run('--config', file).stderr, /^fleet-agent: .*agent\.json: .*JSON/)
})

test('--help and --version', () => {
  match(run('--version').stdout, /^fleet-agent \d+\.\d+\.\d+\n$/)
  match(run('--help').stdout, /^usage: fleet-agent --server ADDRESS/)
})

test('docs/agent.md has every option with its default', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/agent.md'), 'utf8')
  const options = [...run('--help').stdout.matchAll(/^ {2}--([\w-]+) {2,}.*?(?: \(([^()]*)\))?$/gm)]
  equal(options.length, 15)
  const missing = options.filter(
    ([, name, initial = '']) =>
      (!page.includes(`\`${name}\``) && !page.includes(`--${name}`)) || !page.includes(initial),
  )
  equal(missing, [])
})

test('a log in a file begins anew beyond 1 MiB, and one that cannot be written ends no agent', () => {
  const path = join(folder, 'agent.log')
  writeFileSync(path, 'x'.repeat(1024 * 1024 + 1))
  const write = logFile(path)
  write('one\n')
  write('two\n')
  match(readFileSync(path, 'utf8'), /^\d{4}-\S+Z one\n\d{4}-\S+Z two\n$/)
  is(statSync(`${path}.old`).size, 1024 * 1024 + 1)
  logFile(folder)('three\n')
})

test('the bundle is one file that requires only modules of Node', () => {
  const required = [...code.matchAll(/require\("([^"]+)"\)/g)].map(([, name = '']) => name)
  equal(
    required.filter(name => !name.startsWith('node:')),
    [],
  )
  not.match(code, /^import /m)
})

test.run()
