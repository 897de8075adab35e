// The agent for Windows in Wine and a real daemon: it is pending, adopted, runs scripts, reports logins, is updated.
import { readFileSync, writeFileSync } from 'node:fs'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { newerCode } from '../harness/agent-programs.ts'
import { endPrograms } from '../harness/daemon-process.ts'
import { freePort } from '../harness/free-port.ts'
import { agentCode } from '../harness/linux-agent.ts'
import { skipFile } from '../harness/skip-file.ts'
import { startTestHost } from '../harness/test-host.ts'
import { createWindowsComputer, hasWine } from '../harness/windows-computer.ts'

export const runs = { seconds: 120 }

if (!hasWine) skipFile('wine')
const computer = createWindowsComputer()
const lab = await startTestHost({
  options: { rest: { port: await freePort() }, limits: { output: 20_000 } },
})
const addr = '127.0.48.2'
const quser = ' USERNAME              SESSIONNAME        ID  STATE   IDLE TIME  LOGON TIME\r\n'

// An older or newer one than that of the daemon: the last test replaces it.
writeFileSync(computer.program, newerCode)
computer.logIn(quser)
const refreshed = lab.event('command-ended', { addr, command: 'refresh', result: 'success' })
// Programs that Wine lacks take it long to miss.
computer.startAgent(lab.host.ports.agents, { 'local-address': addr, disks: 'no' })
await refreshed

/** The part of the job, with its output. */
async function run(script: string, query = '', more: object = {}) {
  const finished = lab.event('job-finished')
  const { headers } = await lab.call(`POST /shell/run${query}`, { clients: [addr], run: script, echo: true, ...more })
  await finished
  const { parts } = (await lab.call(`GET /jobs/${headers['x-job-id']}?client=${addr}`)).json
  const { state, reason, output } = parts[0]
  return { state, reason, output }
}

const success = (output: string) => ({ state: 'success', reason: undefined, output })
const failure = (reason: string, output: string) => ({ state: 'failure', reason, output })

const test = suite('the agent for Windows in Wine with a daemon')
test.after(async () => {
  await endPrograms()
  await lab.stop()
  computer.remove()
})

test('without a record it is pending with its system and its agent, and can be adopted', async () => {
  const [pending] = (await lab.call('GET /pending')).json.pending
  match(`${pending.client}: ${pending.os}, ${pending.agent}`, /^127\.0\.48\.2: Microsoft Windows 10, fleet-agent 99/)
  await lab.call('POST /center/add', { name: 'Center' })
  await lab.call('POST /room/add', { name: 'Room', netmask: '255.255.255.0', center: 1 })
  const again = lab.event('command-ended', { addr, command: 'refresh', result: 'success' })
  const macs = { [addr]: '020000000001' }
  is((await lab.call('POST /client/adopt', { clients: [addr], room: 1, macs })).status, 200)
  await again
  const [client] = (await lab.call('GET /clients')).json.clients
  equal([client.addr, client.status], [addr, 'windows'])
})

test('an exit code that is not 0 is a failure with its number, and the output is kept', async () => {
  equal(await run('echo before\nexit /b 3'), failure('exit code 3', 'before\r\n'))
  equal(await run('echo text\nexit /b 4', '', { echo: false }), failure('exit code 4', ''))
  equal(await run('echo before\nexit /b 3', '?allow_failure=1'), success('before\r\n'))
  equal(await run('echo before\nexit /b 3', '', { ignore_status: true }), success('before\r\n'))
})

test('two scripts do not share a shell, and the input of each is empty', async () => {
  equal(await run('set X=1\ncd /d C:\\\nset /p Y=\necho end'), success('end\r\n'))
  equal(await run('echo [%X%%Y%]'), success('[]\r\n'))
})

test('the output is cut, and the script runs to its end', async () => {
  const { state, output } = await run('for /l %%i in (1,1,2000) do @echo 0123456789\necho end>C:\\end.txt')
  equal([state, output.length], ['success', 16_384])
  equal(await run('type C:\\end.txt'), success('end\r\n'))
})

test('what a script prints while it runs comes in pieces, and is kept when its job is stopped', async () => {
  const printed = lab.event('job-output', { addr })
  const script = 'echo one\nping -n 600 127.0.0.1 >nul'
  const { headers } = await lab.call('POST /shell/run', { clients: [addr], run: script, echo: true })
  const job = Number(headers['x-job-id'])
  equal(await printed, { type: 'job-output', addr, job, step: 0, text: 'one\r\n' })
  const ended = lab.event('command-ended', { addr, command: 'shell-run' })
  const finished = lab.event('job-finished')
  await lab.call('POST /job/stop', { id: String(job) })
  is((await ended).reason, 'interrupted by stop of admin')
  await finished
  const [part] = (await lab.call(`GET /jobs/${job}?client=${addr}`)).json.parts
  equal([part.state, part.output], ['failure', 'one\r\n'])
})

test('a login that quser prints is a session, locked while its lock screen runs, until it does not', async () => {
  const started = lab.event('session-login', { addr })
  const row = `${quser}>jörg                  console             1  Active      none   11/28/2026 8:01 AM\r\n`
  computer.logIn(row)
  is((await started).user, 'jörg')
  const locked = lab.event('session-lock', { addr, locked: true })
  computer.logIn(row, ' system                console             1   5980  logonui.exe\r\n')
  is((await locked).user, 'jörg')
  equal((await lab.call('GET /sessions')).json.sessions, [{ client: addr, user: 'jörg', locked: true }])
  const unlocked = lab.event('session-lock', { addr, locked: false })
  computer.logIn(row)
  await unlocked
  const stopped = lab.event('session-logout', { addr })
  computer.logIn(quser)
  is((await stopped).user, 'jörg')
})

test('the daemon gives it its program', async () => {
  const again = lab.event('command-ended', { addr, command: 'refresh', result: 'success' })
  const ended = lab.event('command-ended', { addr, command: 'agent-update' })
  is((await lab.call('POST /agent/update', { clients: [addr] })).status, 200)
  is((await ended).result, 'success')
  await again
  const { current, agents } = (await lab.call('GET /agents')).json
  equal(agents, [{ agent: current, clients: [addr] }])
  is(readFileSync(computer.program, 'utf8'), agentCode)
})

test.run()
