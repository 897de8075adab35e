// The program: what it prints at its start, where its token comes from, and how it ends.
import { readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match, not, ok } from 'uvu/assert'
import {
  endPrograms,
  newFolder,
  type Program,
  removeFolder,
  type Start,
  startProgram,
} from '../harness/daemon-process.ts'
import { bytesOf, connectCaller, headEnd } from '../harness/raw-http.ts'
import { connectAgent } from '../harness/simulated-agent.ts'

const folder = newFolder()
const kept = join(folder, 'data/api_token')

const starting = suite('start')
starting.after(endPrograms)

starting('the first start prints where it listens, where data lies, and a token that it has made', async () => {
  const program = startProgram(folder)
  const port = await program.port()
  ok(port > 0 && (await program.agentsPort()) > 0)
  is(await program.says(/data lies in (.*) \(lowdb\)\n/), join(folder, 'data'))
  const token = await program.says(/the API token is (\S{20,}), kept in /)
  is(readFileSync(kept, 'utf8'), `${token}\n`)
  is(statSync(kept).mode & 0o777, 0o600)
  is((await program.call(token, 'GET /clients')).status, 200)
  is((await program.call('another', 'GET /clients')).status, 401)
  program.kill('SIGINT')
  equal(await program.ended, { code: 0, signal: null })
  is(program.errors(), '')
})

starting("a later start uses the same token and does not print it; an existing site's database is unused", async () => {
  const token = readFileSync(kept, 'utf8').trim()
  const program = startProgram(folder, { options: { database: { user: 'x' } } })
  is((await program.call(token, 'GET /clients')).status, 200)
  match(program.output(), `the API token is from ${kept}`)
  not.match(program.output(), token)
  match(program.output(), /options: section "database" is not used/)
  program.kill('SIGTERM')
  equal(await program.ended, { code: 0, signal: null })
})

starting('a token in the options wins over the kept one', async () => {
  const program = startProgram(folder, { options: { rest: { port: 0, api_token: 'from-the-options' } } })
  is((await program.call('from-the-options', 'GET /clients')).status, 200)
  is((await program.call(readFileSync(kept, 'utf8').trim(), 'GET /clients')).status, 401)
  match(program.output(), /the API token is from the options\n/)
  program.kill('SIGTERM')
  await program.ended
})

starting.run()

const failing = suite('a start that fails')
failing.after(endPrograms)

/** The only line on standard error of a program that ends with code 1, and its standard output. */
async function refused(start: Start, own = newFolder()): Promise<{ line: string; output: string }> {
  const program = startProgram(own, start)
  equal(await program.ended, { code: 1, signal: null })
  const [line = '', ...more] = program.errors().split('\n')
  equal(more, [''])
  if (own !== folder) removeFolder(own)
  return { line: line.replaceAll(own, '…'), output: program.output() }
}

failing('prints one line for each kind of bad options and exits with 1', async () => {
  const [key, adapter, data, argument] = await Promise.all([
    refused({ options: { rest: { prot: 1 } } }),
    refused({ options: { store: { adapter: 'nosql' } } }),
    refused({ options: { store: { path: './options.json' } }, env: { FLEET_API_TOKEN: 'x' } }),
    refused({ args: ['--cofnig', 'x'] }),
  ])
  is(key.line, 'fleet-host: …/options.json: rest: expected port, got unknown key "prot"')
  is(adapter.line, 'fleet-host: store.adapter: there is no adapter nosql; lowdb or memory would be right')
  match(data.line, /^fleet-host: store: cannot use …\/options\.json: /)
  match(argument.line, /^fleet-host: Unknown option '--cofnig'/)
})

failing(
  'prints one line when a port is in use and exits with 1; a token that it has made is told all the same',
  async () => {
    const server = createServer().listen(0, '127.0.0.1')
    const port = await new Promise(resolve => server.on('listening', () => resolve(Object(server.address()).port)))
    const { line, output } = await refused({ options: { rest: { port } } })
    is(line, `fleet-host: listen EADDRINUSE: address already in use 127.0.0.1:${port}`)
    match(output, /the API token is \S{20,}, kept in /)
    server.close()
  },
)

failing.run()

const ending = suite('a running daemon')
ending.after(async () => {
  await endPrograms()
  removeFolder(folder)
})

const env = { FLEET_API_TOKEN: 'the-token' }
let program: Program

ending.before(() => {
  program = startProgram(folder, { env, options: { rest: { port: 0, api_token: 'from-the-options' } } })
})

ending('FLEET_API_TOKEN wins over the token in the options', async () => {
  is((await program.call('the-token', 'GET /clients')).status, 200)
  is((await program.call('from-the-options', 'GET /clients')).status, 401)
  match(program.output(), /the API token is from FLEET_API_TOKEN\n/)
})

ending('a second daemon in the same data folder prints one line and exits with 1', async () => {
  const { line } = await refused({ env }, folder)
  match(line, /^fleet-host: store: /)
})

ending('SIGTERM ends it in under 2 s with exit code 0, whoever is connected', async () => {
  const port = await program.port()
  const agents = { port: await program.agentsPort() }
  const idle = connectCaller(port)
  idle.socket.write(bytesOf('GET /clients', { headers: { Connection: undefined } }))
  await idle.until(headEnd)
  const silent = connectCaller(port)
  const half = connectCaller(port)
  const headers = { Expect: '100-continue', Connection: undefined }
  half.socket.write(bytesOf('POST /clients', { headers, body: '{}' }).slice(0, -1))
  await half.until(/100 Continue/)
  const [busy] = await Promise.all(['127.0.0.2', '127.0.0.3'].map(addr => connectAgent({ ...agents, addr })))
  const run = { clients: ['127.0.0.2'], run: 'sleep 1000', echo: true }
  // The answer to its first refresh sets a client free.
  const free = async () =>
    (await program.call('the-token', 'GET /clients')).json.clients.every(
      ({ state }: { state: string }) => state === 'OPG',
    )
  for (let tries = 0; tries < 1000 && !(await free()); ) tries += 1
  is((await program.call('the-token', 'POST /shell/run', run)).status, 200)
  await busy?.next('/shell/run')

  const started = Date.now()
  program.kill('SIGTERM')
  equal(await program.ended, { code: 0, signal: null })
  ok(Date.now() - started < 2000, `it took ${Date.now() - started} ms`)
  await Promise.all([idle.closed, silent.closed, half.closed, busy?.closed])
  match(program.output(), /daemon: ending on SIGTERM\n/)
  is(program.errors(), '')
})

ending.run()
