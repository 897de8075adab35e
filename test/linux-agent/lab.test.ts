// The real agents of the simulated lab: they are pending, run scripts with few rights, and are turned off and woken.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match, not } from 'uvu/assert'
import { isRunning } from '../harness/running-process.ts'
import { startTestHost, token } from '../harness/test-host.ts'
import { nodeArguments } from '../tools/runner/bundled-file.ts'

const addrs = ['127.9.0.1', '127.9.0.2']
const [addr = '', other = ''] = addrs
const lab = await startTestHost()
const temporary = mkdtempSync(join(tmpdir(), 'lab-test-'))
// For the user of the agents.
chmodSync(temporary, 0o711)
const { rest, agents } = lab.host.ports
const refreshed = addrs.map(client => lab.event('command-ended', { addr: client, command: 'refresh' }))
const program = startLab('--rest', `127.0.0.1:${rest}`, '--agents', `127.0.0.1:${agents}`, '--token', token)
let errors = ''
program.stderr?.on('data', chunk => {
  errors += chunk
})

function startLab(...args: string[]): ChildProcess {
  const all = [...nodeArguments('test/tools/simulator/main.ts'), '--computers', '0', '--real', '2', ...args]
  return spawn(process.execPath, all, {
    env: { PATH: process.env.PATH ?? '', TMPDIR: temporary, FLEET_API_TOKEN: 'secret of the lab' },
  })
}

/** What a script prints, with the reason of its failure. */
async function run(script: string, client = addr): Promise<[string, string | undefined]> {
  const ended = lab.event('command-ended', { addr: client, command: 'shell-run' })
  const { headers } = await lab.call('POST /shell/run', { clients: [client], run: script, echo: true })
  await ended
  const { parts } = (await lab.call(`GET /jobs/${headers['x-job-id']}?client=${client}`)).json
  return [parts[0].output.trim(), parts[0].reason]
}

const test = suite('real agents of the lab')
test.before(async () => {
  await Promise.all(refreshed)
})
test.after(async () => {
  program.kill('SIGKILL')
  await lab.stop()
  rmSync(temporary, { recursive: true, force: true })
})

test('they have no records, and introduce themselves with names and hardware addresses of their own', async () => {
  const { pending } = (await lab.call('GET /pending')).json
  const said = pending.map(({ client, name, mac, serial }: Record<string, string>) => [client, name, mac, serial])
  equal(said.sort(), [
    [addr, 'lab-real-01', '02007f090001', 'LAB-REAL-1'],
    [other, 'lab-real-02', '02007f090002', 'LAB-REAL-2'],
  ])
})

test('they can be adopted', async () => {
  await lab.call('POST /center/add', { name: 'Center' })
  await lab.call('POST /room/add', { name: 'Room', netmask: '255.255.255.0', center: 1 })
  const refreshedAgain = addrs.map(client => lab.event('command-ended', { addr: client, command: 'refresh' }))
  is((await lab.call('POST /client/adopt', { clients: addrs, room: 1 })).status, 200)
  await Promise.all(refreshedAgain)
})

test('scripts run with their exit code, in a folder of their own', async () => {
  equal(await run('echo one; exit 3'), ['one', 'exit code 3'])
  const [folder] = await run('pwd; touch file')
  is(existsSync(join(folder, 'file')), true)
  is(dirname(dirname(folder)), temporary)
  not.equal((await run('pwd', other))[0], folder)
})

test('scripts do not have the environment of the lab', async () => {
  match((await run('env'))[0], /^PATH=/m)
  not.match((await run('env'))[0], /secret/)
})

test('scripts have few rights: as root they run as nobody, and no program gives them more', async () => {
  const [user] = await run('id -u; id -G')
  equal(user.split('\n'), process.getuid?.() === 0 ? ['65534', '65534'] : user.split('\n'))
  match((await run('grep NoNewPrivs /proc/self/status'))[0], /1$/)
})

test('scripts have limits of memory and of the size of files', async () => {
  match((await run("grep 'Max data size' /proc/self/limits"))[0], /\b1073741824\b/)
  const [, reason] = await run('truncate -s 2G big')
  match(reason ?? '', /exit code/)
})

test('poweroff turns them off, and wake-on-LAN on again', async () => {
  const gone = lab.event('client-gone', { addr })
  const job = lab.event('command-ended', { addr, command: 'poweroff', result: 'success' })
  await lab.call('POST /poweroff', { clients: [addr] })
  await Promise.all([gone, job])
  const back = lab.event('command-ended', { addr, command: 'refresh' })
  await lab.call('POST /wol', { clients: [addr], type: 'broadcast' })
  await back
  equal(await run('echo on'), ['on', undefined])
})

test('a reboot ends what runs, and the agent connects again', async () => {
  const back = lab.event('command-ended', { addr: other, command: 'refresh' })
  const ended = lab.event('command-ended', { addr: other, command: 'reboot', result: 'success' })
  await lab.call('POST /reboot', { clients: [other] })
  await Promise.all([ended, back])
  equal(await run('echo on', other), ['on', undefined])
})

test('Ctrl-C ends the agents with their scripts and removes their files', async () => {
  const [agent] = await run('echo $PPID')
  const [left] = await run('sleep 600 & echo $!', other)
  void lab.call('POST /shell/run', { clients: [addr], run: 'sleep 600', echo: true })
  program.kill('SIGINT')
  equal(await once(program, 'exit'), [0, null])
  is(isRunning(Number(agent)), false)
  // As on a computer, what a script has left in the background runs on; it has few rights.
  if (isRunning(Number(left))) process.kill(Number(left))
  equal(
    readdirSync(temporary).filter(name => name.startsWith('fleet-lab-')),
    [],
  )
  is(errors, '')
})

test.run()
