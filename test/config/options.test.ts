// The options file: defaults, accepted values, and the one-line error of each invalid value.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { loadOptions, OptionsError } from '../../host/config/options.ts'

const folder = mkdtempSync(join(tmpdir(), 'options-'))
const file = join(folder, 'options.json')
const multicast = { wait_seconds: 60, rate_mbit: 400, address: '239.192.88.90', port: 8892, ttl: 1 }

function load(content: unknown) {
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return loadOptions(file)
}

/** The error line of a file, without the leading file name. */
function errorOf(content: unknown): string {
  try {
    load(content)
  } catch (error) {
    if (!(error instanceof OptionsError)) throw error
    is(error.message.slice(0, file.length + 2), `${file}: `)
    return error.message.slice(file.length + 2)
  }
  return 'accepted'
}

const test = suite('options')
test.after(() => rmSync(folder, { recursive: true }))

test('every key has its default', () => {
  const { options, unused } = load({})
  equal(unused, [])
  const { boot, ...rest } = options
  equal(rest, {
    rest: { ip: '127.0.0.1', port: 8888, os_states: false, open_metrics: false, names: [], proxies: [] },
    agents: {
      ip: '0.0.0.0',
      port: 8889,
      allow: 'any',
      unknown: 1000,
      connections: 10_000,
      connections_per_minute: 60,
      adopt: null,
    },
    store: { adapter: 'lowdb', path: join(folder, 'data') },
    commands: [],
    commands_locked: false,
    repository: { directory: join(folder, 'data/images'), keep_versions: 2, keep_days: 7, checksums: true },
    images: {
      log: { off: false, port: 80, path: '/cgi-bin/LogCommand.sh', period_seconds: 5, patterns: [] },
      transfer: { port: 8890, multicast },
    },
    wol: { seconds: 60 },
    limits: {
      request: 131_072,
      response: 262_144,
      forward: 130_372,
      output: 4095,
      answer_seconds: 30,
      expiry_seconds: 900,
      hang_seconds: 60,
      events_bytes: 16_777_216,
      jobs_days: 30,
      jobs_count: 10_000,
      audit_months: 24,
      history_days: 92,
      outputs_bytes: 1_073_741_824,
      collection_bytes: 100_000_000,
      run_steps: 1000,
      run_parts: 100_000,
      waiting_parts: 1_000_000,
      waiting_parts_per_caller: 500_000,
      connections: 10_000,
      connections_per_address: 1000,
    },
    history: { users: false },
    deadlines: {},
  })
  match(boot.templates, /\/boot-templates$/)
  is(boot.output, join(folder, 'data/boot'))
})

test('keys that are missing in a section have their defaults', () => {
  const { agents } = load({ agents: { port: 1, unknown: 5 } }).options
  equal([agents.ip, agents.port, agents.unknown, agents.allow], ['0.0.0.0', 1, 5, 'any'])
})

test('agents.allow is any, known, or a list of addresses and networks', () => {
  for (const allow of ['any', 'known', ['10.1.0.0/16'], ['10.1.0.0/16', '10.2.0.7', '2001:db8::/32']]) {
    equal(load({ agents: { allow } }).options.agents.allow, allow)
  }
})

test('without a file all options have their defaults, relative to the working directory', () => {
  const { options } = loadOptions()
  is(options.store.path, join(process.cwd(), 'data'))
  is(options.rest.port, 8888)
})

test('relative paths are relative to the options file, also when its own path is relative', () => {
  const paths = {
    store: { path: 'd' },
    commands: ['./site', '../other', '/absolute'],
    repository: { directory: './images' },
    boot: { templates: './t', output: './o', oglives: './oglives.json' },
  }
  writeFileSync(file, JSON.stringify(paths))
  for (const path of [file, relative(process.cwd(), file)]) {
    const { store, commands, repository, boot } = loadOptions(path).options
    is(store.path, join(folder, 'd'))
    equal(commands, [join(folder, 'site'), join(folder, '../other'), '/absolute'])
    is(repository.directory, join(folder, 'images'))
    equal(
      [boot.templates, boot.output, boot.oglives],
      ['t', 'o', 'oglives.json'].map(name => join(folder, name)),
    )
  }
})

test('a port may be a string of digits', () => {
  const { rest, agents } = load({ rest: { port: '8080' }, agents: { port: '00081' } }).options
  equal([rest.port, agents.port], [8080, 81])
  equal(
    [0, 65_535, '0', '65535'].map(port => load({ rest: { port } }).options.rest.port),
    [0, 65_535, 0, 65_535],
  )
})

test('the default of limits.forward is limits.request minus 700 bytes', () => {
  is(load({ limits: { request: 10_000 } }).options.limits.forward, 9300)
  is(load({ limits: { request: 10_000, forward: 50 } }).options.limits.forward, 50)
})

test("the section store may have an adapter's own keys", () => {
  is(load({ store: { adapter: 'postgres', url: 'postgres://localhost' } }).options.store.url, 'postgres://localhost')
})

test('the section database of existing sites is accepted and reported as unused', () => {
  const { options, unused } = load({ database: { ip: '10.0.0.1', port: '3306', user: 'x' }, rest: { port: '1' } })
  equal(unused, ['database'])
  equal(Object.keys(options).includes('database'), false)
})

const table: [content: unknown, line: string][] = [
  ['', 'cannot be read as JSON: Unexpected end of JSON input'],
  ['[]', 'options: expected an object, got []'],
  ['null', 'options: expected an object, got null'],
  [{ rset: {} }, 'options: expected rest, got unknown key "rset"'],
  [{ Agents: {} }, 'options: expected agents, got unknown key "Agents"'],
  [{ rest: { prot: 1 } }, 'rest: expected port, got unknown key "prot"'],
  [{ rest: { api_tokn: 'x' } }, 'rest: expected api_token, got unknown key "api_tokn"'],
  [{ rest: { tls: { cert: 'a', key: 'b', ca: 'c' } } }, 'rest.tls: expected cert, got unknown key "ca"'],
  [
    { rest: { proxy_user: { header: 'X-User', from: ['10.0.0.0/8'], form: 1 } } },
    'rest.proxy_user: expected from, got unknown key "form"',
  ],
  [{ boot: { oglive: 'x' } }, 'boot: expected oglives, got unknown key "oglive"'],
  [{ limits: { respones: 1 } }, 'limits: expected response, got unknown key "respones"'],
  [{ rest: 8888 }, 'rest: expected an object, got 8888'],
  [{ rest: { ip: 1 } }, 'rest.ip: expected a string, got 1'],
  [{ rest: { ip: '' } }, 'rest.ip: expected a text of at least 1 character, got ""'],
  [{ rest: { os_states: 'yes' } }, 'rest.os_states: expected a boolean, got "yes"'],
  [{ rest: { port: 65_536 } }, 'rest.port: expected a number <= 65535, got 65536'],
  [{ rest: { port: -1 } }, 'rest.port: expected a number >= 0, got -1'],
  [{ rest: { port: '65536' } }, 'rest.port: expected 0 to 65535, got "65536"'],
  [{ rest: { port: 'http' } }, 'rest.port: expected 0 to 65535, got "http"'],
  [{ rest: { port: '' } }, 'rest.port: expected 0 to 65535, got ""'],
  [{ agents: { port: 1.5 } }, 'agents.port: expected a whole number or a string, got 1.5'],
  [{ agents: { port: null } }, 'agents.port: expected a whole number or a string, got null'],
  [{ agents: { allow: 'all' } }, 'agents.allow: expected "any", "known" or a list of networks, got "all"'],
  [
    { agents: { allow: '10.1.0.0/16' } },
    'agents.allow: expected "any", "known" or a list of networks, got "10.1.0.0/16"',
  ],
  [{ agents: { allow: true } }, 'agents.allow: expected a string or a list, got true'],
  [{ agents: { allow: [] } }, 'agents.allow: expected at least 1 element, got []'],
  [
    { agents: { allow: ['10.1.0.0/16', '10.1.0.0/33'] } },
    'agents.allow[1]: expected an address or a network like 10.1.0.0/16, got "10.1.0.0/33"',
  ],
  [{ agents: { allow: [7] } }, 'agents.allow[0]: expected a string, got 7'],
  [{ agents: { connections: 0 } }, 'agents.connections: expected a number >= 1, got 0'],
  [{ agents: { connections_per_minute: '60' } }, 'agents.connections_per_minute: expected a whole number, got "60"'],
  [{ agents: { conections: 9 } }, 'agents: expected connections, got unknown key "conections"'],
  [{ store: { path: 1 } }, 'store.path: expected a string, got 1'],
  [{ commands: './site' }, 'commands: expected a list, got "./site"'],
  [{ commands: ['a', 1] }, 'commands[1]: expected a string, got 1'],
  [{ repository: { directory: [] } }, 'repository.directory: expected a string, got []'],
  [{ wol: { interface: 1 } }, 'wol.interface: expected a string, got 1'],
  [{ limits: { request: '1' } }, 'limits.request: expected a whole number, got "1"'],
  [{ limits: { request: 100 } }, 'limits.request: expected a number >= 1024, got 100'],
  [{ limits: { output: 0 } }, 'limits.output: expected a number >= 1, got 0'],
  [{ deadlines: { probe: '9' } }, 'deadlines.probe: expected a number, got "9"'],
  [{ deadlines: { probe: 0 } }, 'deadlines.probe: expected a number > 0, got 0'],
  [{ database: 'mysql' }, 'database: expected an object, got "mysql"'],
]

for (const [content, line] of table) {
  test(`${typeof content === 'string' ? content || 'an empty file' : JSON.stringify(content)}: ${line}`, () => {
    is(errorOf(content), line)
  })
}

test('a file that is not JSON causes a one-line error', () => {
  for (const content of ['{', '{\n  rest: {\n    port: 1\n  }\n}', '{"rest": {},\n}', "{'rest': {}}", '{} {}']) {
    match(errorOf(content), /^cannot be read as JSON: [^\n]+$/)
  }
})

test('the error line of an invalid token does not contain the token', () => {
  for (const api_token of ['', 'two words', 'schlüssel', 1234567, ['x']]) {
    const line = errorOf({ rest: { api_token } })
    match(line, /^rest\.api_token: expected .*, got a value that is kept secret$/)
  }
})

test.run()
