// Where the secrets of tokens, users and sessions are: nowhere but in the one response that issues each of them.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { connectAgent } from '../../host/test-kit/simulated-agent.ts'
import { endPrograms, newFolder, removeFolder, startProgram } from '../harness/daemon-process.ts'
import { readEvents } from '../harness/event-reader.ts'
import { call } from '../harness/rest-call.ts'
import { fleetProgram } from '../tools/runner/bundled-file.ts'

const root = join(import.meta.dirname, '../..')
const folder = newFolder()
const apiToken = 'api-token-of-this-site-4711'
const addr = '127.0.41.1'
const program = startProgram(folder, {
  options: { store: { adapter: 'lowdb', path: './data' } },
  env: { FLEET_API_TOKEN: apiToken },
})
const port = await program.port()

const passwords = {
  first: 'first password of anna',
  second: 'second password of anna',
  wrong: 'wrong password of anna',
  short: 'sh0rt-w',
  refused: 'password of a refused user',
  cli: 'password that is typed',
}
/** By what they are. */
const secrets = new Map<string, string>([['the API token', apiToken], ...Object.entries(passwords)])
/** All bytes that the daemon and the CLI have let out, by where. */
const places = new Map<string, Buffer>()
let responses = 0

/** Sends a request; its response is a place, except for the secret that it issues. */
async function send(route: string, payload: object | undefined, headers: Record<string, string>, issued?: string) {
  const response = await call(port, route, payload, headers)
  const text = JSON.stringify(response.headers) + response.text
  const secret = issued === undefined ? undefined : /fh_\d+_([\w-]{43})|fleet_session=([\w-]{43})/.exec(text)
  if (issued !== undefined) {
    const value = secret?.[1] ?? secret?.[2] ?? ''
    is(value.length, 43, text)
    secrets.set(issued, value)
  }
  responses += 1
  const rest = secret ? text.replaceAll(secret[1] ?? secret[2] ?? '', '') : text
  places.set(`response ${responses}: ${route.replace(/[?].*/, '')}`, Buffer.from(rest))
  return response
}

const asAdmin = { Authorization: apiToken }
const nobody = { Authorization: '' }
const secretOf = (name: string) => secrets.get(name) ?? ''
const basic = (secret: string) => Buffer.from(`anna:${secret}`).toString('base64')

async function expectStatus(expected: number, ...request: Parameters<typeof send>) {
  const response = await send(...request)
  is(response.status, expected, `${request[0]}: ${program.output().split('\n').at(-2)}`)
  return response
}

async function addToken(name: string, role: string): Promise<string> {
  return (await expectStatus(200, 'POST /token/add', { name, role }, asAdmin, `token ${name}`)).json.token
}

/** In the command lines of all processes of the machine. */
function readCommandLines(moment: string): void {
  const lines = readdirSync('/proc').filter(name => /^\d+$/.test(name))
  const texts = lines.map(pid => {
    try {
      return readFileSync(join('/proc', pid, 'cmdline'))
    } catch {
      return Buffer.alloc(0) // the process has ended
    }
  })
  places.set(`command lines ${moment}`, Buffer.concat(texts))
}

/** Runs `fleet`, and reads the command lines while it runs. */
async function fleet(args: string[], input: string): Promise<string> {
  const env = { ...process.env, FLEET_URL: `http://127.0.0.1:${port}`, FLEET_API_TOKEN: apiToken, HOME: folder }
  const file = fleetProgram()
  const child = spawn(process.execPath, [file, ...args], { cwd: root, env: { ...env, XDG_CONFIG_HOME: folder } })
  const output: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => output.push(chunk))
  const closed = once(child, 'close')
  match(readFileSync(`/proc/${child.pid}/cmdline`, 'utf8'), args.join('\0'))
  child.stdin.end(input)
  const name = args.slice(0, 2).join(' ')
  for (let count = 0; child.exitCode === null && child.signalCode === null; count += 1) {
    readCommandLines(`${count} of fleet ${name}`)
    await wait(100)
  }
  is((await closed)[0], 0, Buffer.concat(output).toString())
  const text = Buffer.concat(output)
  places.set(`output of fleet ${name}`, text)
  return text.toString()
}

/** Each file below a folder. */
function readFiles(moment: string, path: string): void {
  for (const entry of readdirSync(path, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    places.set(`${moment}: ${file.slice(path.length)}`, readFileSync(file))
  }
}

/** The ways in which a secret could be written. */
const formsOf = (secret: string): string[] => {
  const bytes = Buffer.from(secret)
  const text = [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]
  return [...new Set([...text, basic(secret), bytes.toString('base64'), bytes.toString('hex')])]
}

function findSecrets(): string[] {
  return [...places].flatMap(([place, bytes]) =>
    [...secrets].flatMap(([name, secret]) =>
      formsOf(secret).some(form => bytes.includes(form)) ? [`${name} is in ${place}`] : [],
    ),
  )
}

const test = suite('secrets')
test.after(async () => {
  await endPrograms()
  removeFolder(folder)
})

test('tokens, users and sessions are used, and wrong ones are refused', async () => {
  const events = await readEvents(port, '', asAdmin)
  await expectStatus(200, 'POST /center/add', { name: 'Center' }, asAdmin)
  await expectStatus(200, 'POST /room/add', { name: 'Room', netmask: '255.0.0.0', center: 1 }, asAdmin)
  const computer = { name: 'pc-1', ip: addr, mac: '020000000001', room: 1 }
  await expectStatus(200, 'POST /client/add', computer, asAdmin)
  const agent = await connectAgent({ port: await program.agentsPort(), addr, auto: { '*': { status: 200 } } })
  const operator = await addToken('operator', 'operate')
  const reader = await addToken('reader', 'read')
  const disabled = await addToken('disabled', 'admin')
  await expectStatus(200, 'POST /token/update', { id: '3', disabled: true }, asAdmin)

  const anna = { name: 'anna', role: 'operate', password: passwords.first }
  await expectStatus(200, 'POST /user/add', anna, asAdmin)
  await expectStatus(200, 'POST /user/update', { id: '1', password: passwords.second }, asAdmin)
  await expectStatus(400, 'POST /user/add', { ...anna, name: 'b', password: passwords.short }, asAdmin)
  await expectStatus(400, 'POST /user/add', { ...anna, role: 'king', password: passwords.refused }, asAdmin)
  await expectStatus(401, 'POST /login', { name: 'anna', password: passwords.wrong }, nobody)
  await expectStatus(200, 'POST /login', { name: 'anna', password: passwords.second }, nobody, 'first session')
  const first = { ...nobody, Cookie: `fleet_session=${secretOf('first session')}` }
  await expectStatus(200, 'GET /me', undefined, first)
  await expectStatus(200, 'POST /shell/run', { clients: [addr], run: 'id', echo: true }, first)
  await expectStatus(200, 'POST /logout', undefined, first)
  await expectStatus(401, 'GET /me', undefined, first)
  await expectStatus(200, 'POST /login', { name: 'anna', password: passwords.second }, nobody, 'open session')
  await expectStatus(200, 'POST /login', { token: operator }, nobody, 'session of a token')
  await expectStatus(200, 'POST /login', { token: apiToken }, nobody, 'session of the API token')
  await expectStatus(401, 'POST /login', { token: disabled }, nobody)

  const command = { clients: [addr], command: 'shell-run', params: { run: 'id', echo: true } }
  await expectStatus(200, 'POST /schedule/command', command, { Authorization: `Bearer ${operator}` })
  await expectStatus(403, 'POST /poweroff', { clients: [addr] }, { Authorization: `Basic ${basic(reader)}` })
  await expectStatus(401, 'POST /poweroff', { clients: [addr] }, { Authorization: disabled })
  await expectStatus(401, 'POST /poweroff', { clients: [addr] }, { Authorization: `${operator.slice(0, -1)}~` })
  const inQuery = await readEvents(port, `?token=${reader}`, nobody)
  is(inQuery.status, 200)
  await expectStatus(401, `GET /events?token=${disabled}`, undefined, nobody)
  await expectStatus(404, `GET /nowhere?token=${reader}`, undefined, asAdmin)
  await expectStatus(200, `GET /clients?token=${reader}`, undefined, asAdmin)
  await events.first({ type: 'auth-failed' })
  await events.first({ type: 'job-finished' })
  for (const route of ['/metrics', '/audit', '/jobs', '/jobs/1', '/tokens', '/users', '/modules', '/openapi.json']) {
    await expectStatus(200, `GET ${route}`, undefined, asAdmin)
  }
  for (const reader of [events, inQuery]) {
    places.set(`events ${places.size}`, Buffer.from(reader.text()))
    reader.close()
  }
  agent.destroy()
})

test('the CLI takes a password from its standard input', async () => {
  await fleet(['user', 'add', 'cli', '--role', 'read'], `${passwords.cli}\n`)
  await fleet(['login', '--user', 'cli'], `${passwords.cli}\n`)
  match(await fleet(['clients'], ''), addr)
})

test('no secret is in a file, a backup, the log, an event, a response or a command line', async () => {
  const config = ['--config', join(folder, 'options.json')]
  for (const name of ['plain.jsonl', 'packed.gz']) await fleet(['store', 'backup', join(folder, name), ...config], '')
  const packed = readFileSync(join(folder, 'packed.gz'))
  places.set('packed backup', packed).set('unpacked backup', gunzipSync(packed))
  places.set('backup', readFileSync(join(folder, 'plain.jsonl')))
  readFiles('while it runs', join(folder, 'data'))
  program.kill('SIGTERM')
  await program.ended
  readFiles('after the end', join(folder, 'data'))
  places.set('log', Buffer.from(program.output() + program.errors()))

  equal([secrets.size, [...secrets.values()].every(secret => secret.length > 6)], [14, true])
  equal(findSecrets(), [])
})

test('the search finds what is there: the hash of a token in the data and in a backup', () => {
  const hash = createHash('sha256').update(secretOf('token operator')).digest('hex')
  const found = [...places].filter(([, bytes]) => bytes.includes(hash)).map(([place]) => place)
  for (const place of [/^while it runs/, /^after the end/, /^unpacked backup/, /^backup/]) {
    ok(
      found.some(each => place.test(each)),
      `${place}: ${found}`,
    )
  }
})

test.run()
