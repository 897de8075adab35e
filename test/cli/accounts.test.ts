// `fleet token …`, `fleet user …`, `fleet login`, `logout` and `me`.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match, not } from 'uvu/assert'
import { openShell } from '../harness/cli-shell.ts'
import { startTestHost, token } from '../harness/test-host.ts'

const lab = await startTestHost()
const url = `http://127.0.0.1:${lab.host.ports.rest}`
const shell = openShell({ FLEET_URL: url, FLEET_API_TOKEN: token, USER: 'anna' })
const { fleet, fleetWith, fleetOnTerminal, bash } = shell
const sessionFile = join(shell.folder, 'config/fleet/session.json')
const noToken = { FLEET_API_TOKEN: undefined }
const password = 'a password of hers'
await lab.addComputer('127.0.0.2')

const test = suite('tokens and users in the CLI')
test.after(async () => {
  shell.remove()
  await lab.stop()
})

let added = ''

test('token add prints the token alone on standard output, for a script', async () => {
  const { code, out, error } = await fleet(
    'token',
    'add',
    'lab',
    '--role',
    'operate',
    '--room',
    'Room',
    '--expires',
    '90d',
  )
  equal([code, error], [0, 'token lab has the id 1; the daemon cannot show it again\n'])
  match(out, /^fh_1_[\w-]{43}\n$/)
  added = out.trim()
  is((await fleetWith({ FLEET_API_TOKEN: added }, 'me')).out, 'token lab, role operate, rooms: Room\n')
  const [row] = (await lab.call('GET /tokens')).json.tokens
  is(Math.round((row.expires - Date.now() / 1000) / 86_400), 90)
})

test('token list shows state, rooms and last use, and no secret', async () => {
  const { code, out } = await fleet('token', 'list')
  is(code, 0)
  match(
    out,
    /^ID {2}NAME {2}ROLE +ROOMS +STATE +USED +BY +EXPIRES\n 1 {2}lab +operate {2}Room +active +20.* admin +20.*\n$/,
  )
  not.match(out, added.slice(-43))
  is(JSON.parse((await fleet('token', 'list', '--json')).out).tokens[0].name, 'lab')
})

test('a token is changed, disabled, enabled and deleted by its name', async () => {
  const me = () => fleetWith({ FLEET_API_TOKEN: added }, 'me')
  is(
    (await fleet('token', 'edit', 'lab', '--role', 'read', '--all-rooms', '--name', 'reader')).out,
    'token lab is changed\n',
  )
  is((await me()).out, 'token reader, role read, rooms: all\n')
  is((await fleet('token', 'disable', 'reader')).out, 'token reader is disabled\n')
  match((await me()).error, /wrong or missing token/)
  await fleet('token', 'update', 'reader', '--enable', '--expires', 'never')
  is((await me()).code, 0)
  is(
    (await fleet('token', 'delete', 'reader', '--yes')).out,
    'token reader is deleted; take it back with: fleet undo 1\n',
  )
  is((await fleet('token', 'list')).out, 'no tokens\n')
})

test('wrong arguments are usage errors that name what is expected', async () => {
  const cases: [string[], RegExp][] = [
    [['token', 'add', 'x'], /required option '--role <role>'/],
    [['token', 'add', 'x', '--role', 'read', '--expires', 'soon'], /--expires: expected a time from now such as 90d/],
    [['token', 'add', 'x', '--role', 'read', '--room', 'Rom'], /--room: expected Room, got Rom/],
    [['token', 'update', 'nowhere'], /token: expected an existing name, got nowhere/],
    [['user', 'update', '1', '--enable', '--disable'], /--disable: expected no --enable with it/],
    [['user', 'update', '1', '--all-rooms', '--room', 'Room'], /--all-rooms: expected no --room/],
  ]
  for (const [args, expected] of cases) {
    const { code, error } = await fleet(...args)
    is(code, 2, args.join(' '))
    match(error, expected)
  }
})

test('user add asks twice for the password on a terminal', async () => {
  const { code, out, error } = await fleetOnTerminal(
    `${password}\n${password}`,
    'user',
    'add',
    'anna',
    '--role',
    'operate',
    '--room',
    '1',
  )
  equal([code, out, error], [0, 'user anna is added with the id 1: operate, 1\n', 'New password: \nThe same again: \n'])
  const other = await fleetOnTerminal(`${password}\nanother one`, 'user', 'add', 'ben', '--role', 'read')
  equal([other.code, other.error.split('\n').at(-2)], [1, 'fleet: password: expected the same one twice, got two'])
})

test('without a terminal the password is the first line of standard input', async () => {
  const { code, out } = await bash(`printf '%s\\n' '${password}' | fleet user add ben --role read`)
  equal([code, out], [0, 'user ben is added with the id 2: read, all computers, now and later\n'])
  match((await bash('fleet user add carl --role read < /dev/null')).error, /password: expected one on standard input/)
  match((await fleet('user', 'list')).out, /anna +operate +Room +active +never[\s\S]*ben +read +all/)
})

test('a user is changed and deleted by the name, which the answer repeats', async () => {
  await bash(`echo '${password}' | fleet user add dora --role read`)
  is((await fleet('user', 'update', 'dora', '--disable')).out, 'user dora is changed\n')
  match((await fleet('user', 'list')).out, /dora +read +all +disabled/)
  is((await bash(`echo 'another ${password}' | fleet passwd dora`)).out, 'user dora is changed: a new password\n')
  match((await fleet('passwd')).error, /^fleet: passwd: expected the name of a user, as you are admin\n$/)
  is((await fleet('user', 'delete', 'dora', '--yes')).out, 'user dora is deleted; take it back with: fleet undo 2\n')
})

test('login keeps a session for later calls in a file of its user, and logout ends it', async () => {
  const login = await bash(`unset FLEET_API_TOKEN; printf '%s' '${password}' | fleet login`)
  equal(login, { code: 0, out: `logged in at ${url} as user anna, role operate\n`, error: '' })
  is(statSync(sessionFile).mode & 0o777, 0o600)
  not.match(readFileSync(sessionFile, 'utf8'), password)
  is((await fleetWith(noToken, 'me')).out, 'user anna, role operate, rooms: Room\n')
  // A token that is named for the call is used in place of the session.
  is((await fleet('me')).out, 'admin, role admin, rooms: all\n')
  // The session is not sent to another daemon.
  const other = await startTestHost()
  const elsewhere = { ...noToken, FLEET_URL: `http://127.0.0.1:${other.host.ports.rest}` }
  match((await fleetWith(elsewhere, 'me')).error, /wrong or missing token/)
  await other.stop()
  // Who is no administrator, too, and the session goes on.
  equal(await bash(`unset FLEET_API_TOKEN; printf '%s\\n' wrong '${password}' | fleet passwd`), {
    code: 1,
    out: '',
    error: 'fleet: old: expected the present password\n',
  })
  const changed = await bash(`unset FLEET_API_TOKEN; printf '%s\\n' '${password}' 'new ${password}' | fleet passwd`)
  is(changed.out, 'user anna is changed: a new password\n')
  is((await bash(`unset FLEET_API_TOKEN; printf '%s\\n' 'new ${password}' '${password}' | fleet passwd anna`)).code, 0)
  is((await fleetWith(noToken, 'me')).code, 0)
  match(
    (await bash('unset FLEET_API_TOKEN; fleet passwd < /dev/null')).error,
    /expected the present one and the new one/,
  )
  is((await fleetWith(noToken, 'logout')).out, `logged out at ${url}\n`)
  is((await fleetWith(noToken, 'logout')).out, `not logged in at ${url}\n`)
  match((await fleetWith(noToken, 'me')).error, /wrong or missing token/)
})

test('a wrong password is one line, and a session that has ended names the next step', async () => {
  equal(await bash('unset FLEET_API_TOKEN; echo wrong | fleet login'), {
    code: 1,
    out: '',
    error: 'fleet: login: wrong name or password (401)\n',
  })
  await bash(`unset FLEET_API_TOKEN; echo '${password}' | fleet login --user ben`)
  await fleet('user', 'delete', 'ben', '--yes')
  match((await fleetWith(noToken, 'me')).error, /the session has ended; fleet login \(401\)/)
})

test('a daemon that refuses sessions for its name is reported at the login', async () => {
  const server = createServer((_, response) => response.writeHead(403).end()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // It listens on a port.
  const { code, error } = await bash(`unset FLEET_API_TOKEN; echo x | fleet --url http://127.0.0.1:${port} login`)
  server.close()
  is(code, 1)
  is(error, 'fleet: login: the daemon refuses sessions for 127.0.0.1: use its address, or add it to rest.names\n')
})

test('what is typed as a password does not appear on the terminal', async () => {
  // `script` runs the program on a terminal of its own, whose output is all that a user sees.
  const child = spawn('script', ['-qec', 'fleet login', '/dev/null'], {
    cwd: shell.folder,
    env: {
      ...process.env,
      FLEET_URL: url,
      HOME: shell.folder,
      XDG_CONFIG_HOME: join(shell.folder, 'config'),
      USER: 'anna',
      PATH: `${shell.folder}/bin:${process.env.PATH}`,
    },
  })
  let shown = ''
  const ended = new Promise<number | null>(resolve => child.on('close', resolve))
  child.stdout.on('data', chunk => {
    shown += chunk
    if (/Password of anna at [^ ]+: $/.test(shown)) child.stdin.write(`${password}\r`)
  })
  is(await ended, 0)
  match(shown, /logged in at/)
  not.match(shown, password)
})

test.run()
