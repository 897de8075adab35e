// The daemon's program: its output at the start, the source of its token, errors at the start, and its end. In `npm test`
// its bundle is started; package.test.ts starts the source.
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match, not, ok } from 'uvu/assert'
import { connectAgent } from '../../host/test-kit/simulated-agent.ts'
import {
  endPrograms,
  newFolder,
  type Program,
  type ProgramOptions,
  removeFolder,
  startProgram,
} from '../harness/daemon-process.ts'
import { startQuietTimer } from '../harness/quiet-timer.ts'
import { bytesOf, connectCaller, endOfHead } from '../harness/raw-http.ts'

export const runs = { seconds: 19 }

const folder = newFolder()
const tokenFile = join(folder, 'data/api_token')

const start = suite('program start')
start.after(endPrograms)

start(
  'the first start logs its ports, its store and the file of the token that it generated, but not the token',
  async () => {
    const program = startProgram(folder)
    const port = await program.port()
    ok(port > 0 && (await program.agentsPort()) > 0)
    is(await program.waitFor(/store lowdb in (.*)\n/), join(folder, 'data'))
    is(await program.waitFor(/new API token in (.*)\n/), tokenFile)
    const token = readFileSync(tokenFile, 'utf8').trim()
    match(token, /^[0-9a-f]{48}$/)
    not.match(program.output(), token)
    is(statSync(tokenFile).mode & 0o777, 0o600)
    is(statSync(join(folder, 'data')).mode & 0o777, 0o700)
    is((await program.call(token, 'GET /clients')).status, 200)
    is((await program.call('another', 'GET /clients')).status, 401)
    program.kill('SIGINT')
    equal(await program.ended, { code: 0, signal: null })
    is(program.errors(), '')
  },
)

start('the start of a daemon without rooms logs the next three steps, without what logs in', async () => {
  const empty = newFolder()
  const program = startProgram(empty)
  await program.waitFor(/3\. install the agent on the first computer: .*\n/)
  match(program.output(), /no rooms yet; the next three steps:\n.*1\. log in: .* console prints a link/)
  match(program.output(), /2\. add a room: .*fleet center add .*fleet room add /)
  not.match(program.output(), /#login=/)
  program.kill('SIGKILL')
  await program.ended
  removeFolder(empty)
})

start('a later start uses the same token without logging it, and warns about the unused section database', async () => {
  const token = readFileSync(tokenFile, 'utf8').trim()
  const program = startProgram(folder, { options: { database: { user: 'x' } } })
  is((await program.call(token, 'GET /clients')).status, 200)
  match(program.output(), `API token from ${tokenFile}`)
  not.match(program.output(), token)
  match(program.output(), /options: section "database" is not used/)
  program.kill('SIGTERM')
  equal(await program.ended, { code: 0, signal: null })
})

start('a token in the options overrides the stored one', async () => {
  const program = startProgram(folder, { options: { rest: { port: 0, api_token: 'from-the-options' } } })
  is((await program.call('from-the-options', 'GET /clients')).status, 200)
  is((await program.call(readFileSync(tokenFile, 'utf8').trim(), 'GET /clients')).status, 401)
  match(program.output(), /API token from the options\n/)
  program.kill('SIGTERM')
  await program.ended
})

start.run()

const failure = suite('failed program start')
failure.after(endPrograms)

/** Starts a program that ends with code 1; the only line on its standard error, and its standard output. */
async function failedStart(
  programOptions: ProgramOptions,
  cwd = newFolder(),
): Promise<{ line: string; output: string }> {
  const program = startProgram(cwd, programOptions)
  equal(await program.ended, { code: 1, signal: null })
  const [line = '', ...more] = program.errors().split('\n')
  equal(more, [''])
  if (cwd !== folder) removeFolder(cwd)
  return { line: line.replaceAll(cwd, '…'), output: program.output() }
}

failure('the program prints one line for each kind of invalid options and exits with 1', async () => {
  const [key, data, postgres, argument] = await Promise.all([
    failedStart({ options: { rest: { prot: 1 } } }),
    failedStart({ options: { store: { path: './options.json' } }, env: { FLEET_API_TOKEN: 'x' } }),
    failedStart({ options: { store: { adapter: 'postgres', host: '/nowhere', database: 'site' } } }),
    failedStart({ args: ['--cofnig', 'x'] }),
  ])
  is(key.line, 'fleet-host: …/options.json: rest: expected port, got unknown key "prot"')
  match(data.line, /^fleet-host: store: cannot use …\/options\.json: /)
  const place = 'database site at /nowhere:5432, schema fleet'
  is(postgres.line, `fleet-host: store: ${place}: PostgreSQL: connect ENOENT /nowhere/.s.PGSQL.5432`)
  match(argument.line, /^fleet-host: Unknown option '--cofnig'/)
})

failure(
  'the program prints one line when a port is in use and exits with 1, and logs the file of the token that it generated',
  async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = address instanceof Object ? address.port : 0
    const { line, output } = await failedStart({ options: { rest: { port } } })
    match(line, `fleet-host: rest.port: another program has port ${port} of 127.0.0.1 (ss -ltnp names it): stop it, or`)
    match(output, /new API token in \S+api_token\n/)
    server.close()
  },
)

failure.run()

const running = suite('running program')
running.after(async () => {
  await endPrograms()
  removeFolder(folder)
})

const env = { FLEET_API_TOKEN: 'the-token' }
let program: Program

running.before(() => {
  program = startProgram(folder, { env, options: { rest: { port: 0, api_token: 'from-the-options' } } })
})

running('FLEET_API_TOKEN overrides the token in the options', async () => {
  is((await program.call('the-token', 'GET /clients')).status, 200)
  is((await program.call('from-the-options', 'GET /clients')).status, 401)
  match(program.output(), /API token from FLEET_API_TOKEN\n/)
})

running('a second daemon in the same data folder prints one line and exits with 1', async () => {
  const { line } = await failedStart({ env }, folder)
  match(line, /^fleet-host: store: /)
})

running('SIGTERM ends the daemon in under 2 s with exit code 0, also with open connections', async () => {
  const port = await program.port()
  const agents = { port: await program.agentsPort() }
  const idle = connectCaller(port)
  idle.socket.write(bytesOf('GET /clients', { headers: { Connection: undefined } }))
  await idle.until(endOfHead)
  const silent = connectCaller(port)
  const half = connectCaller(port)
  const headers = { Expect: '100-continue', Connection: undefined }
  half.socket.write(bytesOf('POST /clients', { headers, body: '{}' }).slice(0, -1))
  await half.until(/100 Continue/)
  const [busy] = await Promise.all(['127.0.0.2', '127.0.0.3'].map(addr => connectAgent({ ...agents, addr })))
  const run = { clients: ['127.0.0.2'], run: 'sleep 1000', echo: true }
  // A client is busy until the reply to its first refresh.
  const free = async () =>
    (await program.call('the-token', 'GET /clients')).json.clients.every(
      ({ state }: { state: string }) => state === 'OPG',
    )
  for (let tries = 0; tries < 1000 && !(await free()); ) tries += 1
  is((await program.call('the-token', 'POST /shell/run', run)).status, 200)
  await busy?.next('/shell/run')

  const time = startQuietTimer()
  program.kill('SIGTERM')
  equal(await program.ended, { code: 0, signal: null })
  ok(time() < 2000)
  await Promise.all([idle.closed, silent.closed, half.closed, busy?.closed])
  match(program.output(), /daemon: stopping on SIGTERM\n/)
  is(program.errors(), '')
})

running.run()
