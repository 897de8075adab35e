// The agent for Windows on the wire, in Wine: requests, scripts of cmd.exe, and how they end.
import { existsSync, readFileSync } from 'node:fs'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { newerCode, startProgramServer, updateTo } from '../harness/agent-programs.ts'
import { startAgentsPort } from '../harness/agents-port.ts'
import { endPrograms } from '../harness/daemon-process.ts'
import { pollUntil } from '../harness/poll.ts'
import { skipFile } from '../harness/skip-file.ts'
import { createWindowsComputer, hasWine } from '../harness/windows-computer.ts'

export const runs = { seconds: 90 }

if (!hasWine) skipFile('wine')
const computer = createWindowsComputer()
const server = await startAgentsPort()
const files = await startProgramServer()
computer.startAgent(server.port, {
  'local-address': '127.0.48.1',
  'poweroff-command': 'echo off>C:\\off.txt',
  'reboot-command': 'exit 7',
  // Programs that Wine lacks take it long to miss.
  'trial-seconds': '300',
  url: files.url,
})
let daemon = await server.connection()
const hello = await daemon.next()

async function ask(route: string, body?: object) {
  daemon.request(route, body)
  return daemon.next()
}

const run = (script: string, more: object = {}) => ask('POST /shell/run', { run: script, echo: true, ...more })

const test = suite('the agent for Windows in Wine')
test.after(async () => {
  await endPrograms()
  computer.remove()
  await Promise.all([server.stop(), files.stop()])
})

test('it introduces itself when it has connected', () => {
  is(hello.status, 103)
  match(JSON.stringify(hello.body), /"event":"hello",.*"os":"Microsoft Windows 10",.*"keys":\["pieces","timeout"\]/)
})

test('its messages are HTTP/1.0 with the length in bytes, and have no header without a body', async () => {
  const before = daemon.received().length
  await ask('GET /run/schedule')
  is(daemon.received().slice(before), 'HTTP/1.0 200 OK\r\n\r\n')
  const start = daemon.received().length
  await run('echo one')
  const text = '{"out":"one\\r\\n","status":0}'
  const fields = `Content-Length: ${Buffer.byteLength(text)}\r\nContent-Type: application/json\r\n`
  is(daemon.received().slice(start), `HTTP/1.0 200 OK\r\n${fields}\r\n${text}`)
})

test('requests may come byte by byte, or several in one packet', async () => {
  const bytes = Buffer.from('POST /probe HTTP/1.1\r\nContent-Length: 0\r\nContent-Type: application/json\r\n\r\n')
  for (const byte of bytes) {
    daemon.send(Buffer.of(byte))
    await new Promise(setImmediate)
  }
  is((await daemon.next()).status, 200)
  daemon.send(Buffer.concat([bytes, bytes]))
  equal([(await daemon.next()).status, (await daemon.next()).status], [200, 200])
})

test('a probe has the status', async () => {
  equal(await ask('POST /probe'), { status: 200, body: { status: 'WIN10' } })
})

test('without PowerShell a refresh has no disks', async () => {
  equal(await ask('GET /refresh'), { status: 200, body: { status: 'WIN10', serial_number: '' } })
})

test('both outputs of a script are returned in their order, with its exit code', async () => {
  const { body } = await run('echo one\necho two>&2\nexit /b 3')
  equal(body, { out: 'one\r\ntwo\r\n', status: 3 })
  match(JSON.stringify((await run('no-such-command')).body), /no-such-command.*"status":9009/)
})

test('after its timeout a script is ended, and its output is kept', async () => {
  const { body } = await run('echo one\nping -n 20 127.0.0.1', { timeout: 2 })
  equal(body, { out: 'one\r\n', status: 1, timed_out: true })
})

test('while a script runs a probe is 202 with BSY, others 503; stop ends it and the script is 500', async () => {
  daemon.request('POST /shell/run', { run: 'ping -n 600 127.0.0.1', echo: true })
  equal(await ask('POST /probe'), { status: 202, body: { status: 'BSY' } })
  for (const route of ['GET /refresh', 'GET /run/schedule'])
    equal(await ask(route), { status: 503, body: undefined }, route)
  equal(await ask('POST /stop'), { status: 500, body: undefined })
})

test('stop while nothing runs has no effect and no reply', async () => {
  daemon.request('POST /stop')
  equal(await ask('GET /run/schedule'), { status: 200, body: undefined })
})

test('unknown paths are 400, imaging and setup with the reason', async () => {
  for (const route of ['POST /nothing', 'POST /shell/run'])
    equal(await ask(route), { status: 400, body: undefined }, route)
  for (const route of ['POST /image/create', 'POST /image/restore', 'POST /setup'])
    equal(await ask(route), { status: 400, body: { reason: 'only a live system can do this' } }, route)
})

test('poweroff is 202 first, then its command runs; a script that it has ended is not answered', async () => {
  daemon.request('POST /shell/run', { run: 'ping -n 600 127.0.0.1', echo: true })
  is((await ask('POST /probe')).status, 202)
  equal(await ask('POST /poweroff'), { status: 202, body: undefined })
  await pollUntil(() => existsSync(computer.onDrive('off.txt')))
  is((await ask('POST /probe')).status, 200)
})

test('a reboot whose command fails is answered with 202 and then with 500', async () => {
  equal([(await ask('POST /reboot')).status, (await daemon.next()).status], [202, 500])
})

test('a request that is no HTTP closes the connection, and the agent connects again', async () => {
  daemon.send('hello\r\n\r\n')
  await daemon.closed
  daemon = await server.connection()
  is((await daemon.next()).status, 103)
  is((await ask('POST /probe')).status, 200)
})

test('a lost connection is made again', async () => {
  daemon.close()
  daemon = await server.connection()
  is((await daemon.next()).status, 103)
})

test('an update replaces the program, which goes on without a new start', async () => {
  files.serve(newerCode)
  daemon.request('POST /agent/update', updateTo(newerCode))
  is((await daemon.next()).status, 202)
  const trial = await server.connection()
  await trial.next()
  trial.request('GET /refresh')
  await trial.closed
  daemon = await server.connection()
  match(JSON.stringify((await daemon.next()).body), /"agent":"fleet-agent 99\.0\.0"/)
  is(readFileSync(computer.program, 'utf8'), newerCode)
})

test.run()
