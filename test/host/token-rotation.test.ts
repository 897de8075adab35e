// The API token changes while the daemon runs: by `fleet token rotate`, and by SIGHUP for a token of the options.
import { chmodSync, chownSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match, not } from 'uvu/assert'
import { connectAgent } from '../../host/test-kit/simulated-agent.ts'
import { openShell } from '../harness/cli-shell.ts'
import { endPrograms, newFolder, type Program, removeFolder, startProgram } from '../harness/daemon-process.ts'
import { readEvents } from '../harness/event-reader.ts'
import { pollUntil } from '../harness/poll.ts'

export const runs = { seconds: 21 }

const folder = newFolder()
const options = join(folder, 'options.json')
const tokenFile = join(folder, 'data/api_token')
const readToken = () => readFileSync(tokenFile, 'utf8').trim()
const { fleet, remove } = openShell()
const statusOf = async (program: Program, token: string) => (await program.call(token, 'GET /clients')).status

const test = suite('token rotation')
test.after(async () => {
  await endPrograms()
  removeFolder(folder)
  remove()
})

test('a daemon that runs uses the rotated token and refuses the old one, and no connection is lost', async () => {
  const program = startProgram(folder)
  const port = await program.port()
  const old = await program.waitFor(/new API token in/).then(readToken)
  const agent = await connectAgent({ port: await program.agentsPort(), addr: '127.0.45.1' })
  const events = await readEvents(port, '', { Authorization: old })
  const { code, out, error } = await fleet('token', 'rotate', '--config', options, '--url', `127.0.0.1:${port}`)
  equal([code, out, error], [0, `a new token is in ${tokenFile}; the daemon uses it and refuses the old one\n`, ''])
  const token = readToken()
  match(token, /^[0-9a-f]{48}$/)
  is.not(token, old)
  is(statSync(tokenFile).mode & 0o777, 0o600)
  equal([await statusOf(program, token), await statusOf(program, old)], [200, 401])
  // The agent and the reader of events, who came with the old token, are still connected.
  await program.call(token, 'POST /clients', { clients: [agent.addr] })
  await agent.next('/probe')
  await events.first({ type: 'job-created' })
  is((await fleet('token', '--config', options)).out, `${token}\n`)
  match(program.output(), /daemon: API token changed, now from \/.*api_token; the old one is refused\n/)
  for (const secret of [token, old]) not.match(program.output(), secret)
  program.kill('SIGTERM')
  equal(await program.ended, { code: 0, signal: null })
})

let second: Program

test('without a daemon the token is rotated for its next start', async () => {
  const old = readToken()
  const { code, out } = await fleet('token', 'rotate', '--config', options, '--url', '127.0.0.1:1')
  is(code, 0)
  match(out, /^a new token is in .*; could not check that the daemon uses it: .* connection refused; .*\n$/)
  chmodSync(tokenFile, 0o644)
  second = startProgram(folder)
  equal([await statusOf(second, readToken()), await statusOf(second, old)], [200, 401])
})

test('a file that others can read is restricted at the start, with a warning', async () => {
  match(
    second.output(),
    /warn {2}daemon: others could read the API token in \S+, now only its owner can; see fleet token rotate\n/,
  )
  is(statSync(tokenFile).mode & 0o777, 0o600)
})

test('an empty file changes nothing but for a warning, and a token that somebody writes there is used', async () => {
  const token = readToken()
  writeFileSync(tokenFile, '')
  match(await second.waitFor(/API token not changed: (.*)\n/), /^expected a token in \S+, got none$/)
  is(await statusOf(second, token), 200)
  writeFileSync(tokenFile, 'of-my-own\n')
  await second.waitFor(/API token changed/)
  equal([await statusOf(second, 'of-my-own'), await statusOf(second, token)], [200, 401])
  second.kill('SIGTERM')
  await second.ended
})

test('a token of the options is not rotated but changed there, and SIGHUP puts it in use', async () => {
  const withToken = (api_token: string) => ({ options: { rest: { port: 0, api_token } } })
  const program = startProgram(folder, withToken('first-one'))
  is(await statusOf(program, 'first-one'), 200)
  const { code, error } = await fleet('token', 'rotate', '--config', options)
  is(code, 1)
  match(error, /^fleet: token rotate: the token is rest\.api_token of \S+; change it there, then reload .* SIGHUP\n$/)
  writeFileSync(options, readFileSync(options, 'utf8').replace('first-one', 'second-one'))
  process.kill(program.pid, 'SIGHUP')
  await program.waitFor(/API token changed, now from the options/)
  match(program.output(), /options applied: rest\.api_token\n/)
  await pollUntil(async () => (await statusOf(program, 'second-one')) === 200)
  is(await statusOf(program, 'first-one'), 401)
  not.match(program.output(), 'second-one')
  program.kill('SIGTERM')
  await program.ended
})

test('when the daemon has another token, the rotation fails and names the reason', async () => {
  const program = startProgram(folder, { env: { FLEET_API_TOKEN: 'from-the-environment' } })
  const url = `http://127.0.0.1:${await program.port()}`
  const { code, error } = await fleet('token', 'rotate', '--config', options, '--url', url)
  is(code, 1)
  match(error, /but the daemon at http:\S+ does not use it; is its token FLEET_API_TOKEN, or has it other options\?\n$/)
  program.kill('SIGTERM')
  await program.ended
})

// Only root can rotate for another user.
if (process.getuid?.() === 0) {
  test('a token that root rotates belongs to the owner of the old one', async () => {
    chownSync(tokenFile, 12345, 12346)
    await fleet('token', 'rotate', '--config', options, '--url', '127.0.0.1:1')
    const { uid, gid } = statSync(tokenFile)
    equal([uid, gid], [12345, 12346])
    chownSync(tokenFile, 0, 0)
  })
}

test('without a data folder the rotation fails with one line', async () => {
  const own = newFolder()
  const file = join(own, 'options.json')
  writeFileSync(file, '{}')
  const { code, error } = await fleet('token', 'rotate', '--config', file)
  equal([code, error.split('\n').length], [1, 2])
  match(error, /^fleet: token rotate: ENOENT: /)
  removeFolder(own)
})

test.run()
