// The first computer: the install line, a record, a script, a login, a daemon that is killed, an update and the removal.
import { suite } from 'uvu'
import { equal, is, match, not, ok } from 'uvu/assert'
import { openShell } from '../harness/cli-shell.ts'
import { canMakeComputers, startComputerRoot } from '../harness/computer-root.ts'
import { endPrograms, newFolder, removeFolder, startProgram } from '../harness/daemon-process.ts'
import { freePort } from '../harness/free-port.ts'
import { pollUntil } from '../harness/poll.ts'
import { skipFile } from '../harness/skip-file.ts'

export const runs = { seconds: 34 }

if (!canMakeComputers()) skipFile('root')

const token = 'of-the-first-computer'
const addr = '127.0.0.1'
const folder = newFolder()
const [restPort, agentsPort] = [await freePort(), await freePort()]
const url = `http://127.0.0.1:${restPort}`
const options = { rest: { port: restPort }, agents: { ip: '127.0.0.1', port: agentsPort }, store: { path: './data' } }
const startDaemon = async () => {
  const program = startProgram(folder, { options, env: { FLEET_API_TOKEN: token } })
  await program.port()
  return program
}
let daemon = await startDaemon()
const computer = await startComputerRoot()
const shell = openShell({ FLEET_URL: url, FLEET_API_TOKEN: token })
const { fleet } = shell
const before = computer.listing()

const installLine = `curl -fsS ${url}/agent/install.sh | sh`
const install = (...args: string[]) =>
  computer.run(`${installLine}${args.length > 0 ? ` -s -- ${args.join(' ')}` : ''}`)
const agentProcesses = async () => (await computer.processes()).filter(line => line.includes('/opt/fleet-agent/'))
const readOptions = () => JSON.parse(computer.read('/opt/fleet-agent/options.json'))
/** Of the idle client, else 'BSY'. */
const status = async () => {
  const { clients } = (await daemon.call(token, 'GET /clients')).json
  const client = clients.find((each: { addr: string }) => each.addr === addr)
  return client?.state === 'BSY' ? 'BSY' : client?.status
}
/** Milliseconds that a process may take to start or end on a busy machine. */
const patience = 20_000
const waitForStatus = (expected: string) => pollUntil(async () => (await status()) === expected, patience)

const test = suite('first computer')
test.after(async () => {
  await computer.stop()
  await endPrograms()
  shell.remove()
  removeFolder(folder)
})

test('a script that is cut anywhere does nothing', async () => {
  const { out: script } = await computer.run(`curl -fsS ${url}/agent/install.sh`)
  const places = Array.from({ length: 40 }, (_, index) => Math.floor((index * script.length) / 40))
  const lastCharacters = Array.from({ length: 70 }, (_, index) => script.trimEnd().length - 1 - index)
  const cut = `cat > /tmp/whole; for n in ${[...places, ...lastCharacters].join(' ')}; do head -c $n /tmp/whole | sh; done; rm /tmp/whole`
  await computer.run(cut, script)
  equal(computer.listing(), before)
  is(computer.read('/stand-ins/state/calls'), '')
})

test('without root, without systemd, without Node or with an old one it says so and does nothing', async () => {
  const refuse = async (prefix: string) => {
    const { code, error } = await computer.run(
      `curl -fsS ${url}/agent/install.sh > /tmp/i; ${prefix} sh /tmp/i; code=$?; rm /tmp/i; exit $code`,
    )
    is(code, 1)
    return error
  }
  is(
    await refuse('setpriv --reuid 1234 --clear-groups'),
    'fleet-agent: expected root, got user ana: run it with sudo\n',
  )
  match(await refuse('rmdir /run/systemd/system;'), /^fleet-agent: expected systemd as the service manager of this/)
  await computer.run('mkdir /run/systemd/system')
  const path = 'mkdir /tmp/p; for p in id uname systemctl sha256sum sh cat; do ln -s $(command -v $p) /tmp/p; done;'
  match(await refuse(`${path} PATH=/tmp/p`), /^fleet-agent: expected Node 20 or newer, got none\. .*nodejs\.org/)
  computer.write('/tmp/p/node', '#!/bin/sh\nif [ "$1" = --version ]; then echo v18.20.4; else echo 18; fi\n', 0o755)
  match(await refuse('PATH=/tmp/p'), /^fleet-agent: expected Node 20 or newer, got v18\.20\.4 \(\/tmp\/p\/node\)\. /)
  await computer.run('rm -r /tmp/p')
  equal(computer.listing(), before)
  is(computer.read('/stand-ins/state/calls'), '')
})

test('a program that was changed on its way is not installed', async () => {
  const { code, error } = await computer.run(`curl -fsS ${url}/agent/install.sh | sed 's/LINUX/UNIX/' | sh`)
  is(code, 1)
  match(error, /^fleet-agent: the program was changed on its way: expected SHA-256 [0-9a-f]{64}, got [0-9a-f]{64}\n$/)
  equal(computer.listing(), before)
})

test('on a full disk it says so and leaves no part of a file, and the rest can be removed', async () => {
  const full = 'mkdir /opt/fleet-agent; mount -t tmpfs -o size=20k full /opt/fleet-agent'
  const { code, out, error } = await computer.run(
    `${full}; ${installLine}; code=$?; ls -A /opt/fleet-agent; exit $code`,
  )
  equal([code, out], [1, ''])
  match(error, /\nfleet-agent: expected to write \/opt\/fleet-agent\/fleet-agent\.js\n$/)
  await computer.run('umount /opt/fleet-agent; rm -r /run/mount')
  const { out: removed, error: none } = await install('--uninstall')
  equal([removed, none], ['fleet-agent: removed\n', ''])
  equal(computer.listing(), before)
})

test('the install line installs the agent as a service and says that it is connected', async () => {
  const { code, out, error } = await install()
  equal([code, error], [0, ''])
  match(out, /^fleet-agent \d+\.\d+\.\d+ is installed as the service fleet-agent\n/)
  match(out, `fleet-agent: it is connected to 127.0.0.1:${agentsPort}. Next`)
  equal(readOptions(), { server: '127.0.0.1', port: agentsPort })
  const modes = computer.listing().flatMap(line => /^\/opt\/fleet-agent\/(\S+ \d+ \S+)/.exec(line)?.[1] ?? [])
  equal(modes, ['fleet-agent.js 100644 0:0', 'options.json 100600 0:0', 'uninstall 100755 0:0'])
  match(computer.read('/etc/systemd/system/fleet-agent.service'), '\nExecStart=/usr/local/bin/node /opt/fleet-agent/')
})

test('fleet pending shows it, and fleet adopt makes a record of it', async () => {
  match((await fleet('pending')).out, /\n127\.0\.0\.1 +pc-20 .*Test Linux 1/)
  await fleet('send', 'center-add', '--name', 'Center')
  await fleet('send', 'room-add', '--name', 'Room', '--netmask', '255.0.0.0', '--center', '1')
  const { out } = await fleet('adopt', addr, '--room', 'Room', '--mac', '00:1b:21:0a:0e:14')
  is(out, '127.0.0.1 is now a computer of room Room\n')
  await waitForStatus('linux')
})

test('a script with exit code 3 is a failure, with its output', async () => {
  const { code, out } = await fleet('run', '--client', addr, '--', 'hostname; id -u; exit 3')
  is(code, 1)
  match(out, '\npc-20\n0\n')
  match(out, /\n127\.0\.0\.1 +pc-20 +failure .* exit code 3\n/)
})

test('a login at a terminal is a session until the logout', async () => {
  // The password is taken as right: `-f`. What notes the session is a stand-in for pam_systemd.
  const terminal = computer.start("script -qc 'login -f ana' /dev/null")
  await waitForStatus('linux-session').catch(error => {
    throw new Error(`${error.message}; the agent: ${computer.read('/stand-ins/state/journal')}`)
  })
  equal((await daemon.call(token, 'GET /sessions')).json.sessions, [{ client: addr, user: 'ana' }])
  terminal.stdin?.write('exit\n')
  await waitForStatus('linux')
  terminal.kill()
})

test('a daemon that was killed has the computer again after its start', async () => {
  daemon.kill('SIGKILL')
  await daemon.ended
  daemon = await startDaemon()
  await waitForStatus('linux')
})

test('the line again is an update, which keeps the options', async () => {
  const [first] = await agentProcesses()
  ok(first)
  const changed = { ...readOptions(), 'log-level': 'debug', 'local-address': '127.0.46.1' }
  computer.write('/opt/fleet-agent/options.json', JSON.stringify(changed))
  // Who owned it could replace the program.
  await computer.run('chown 1234 /opt/fleet-agent; chmod 777 /opt/fleet-agent')
  match((await install()).out, /^fleet-agent \S+ is updated as the service/)
  equal(readOptions(), changed)
  ok(computer.listing().includes('/opt/fleet-agent 40755 0:0'))
  is((await agentProcesses()).length, 1)
  match(await fleet('pending').then(({ out }) => out), /\n127\.0\.46\.1 +pc-20 /)
})

test('--server and --port replace those of the options, and an agent that does not connect is an error', async () => {
  const { code, out } = await install('--server', 'localhost', '--port', '1')
  is(code, 1)
  match(out, /it is not connected to localhost:1 after 10 s.*\n.*journalctl -u fleet-agent\n$/)
  match(
    (await install('--port', String(agentsPort))).out,
    /another server than this download, and stays: localhost\. --server 127\.0\.0\.1 changes/,
  )
  equal([readOptions().server, readOptions().port], ['localhost', agentsPort])
  is((await install('--server', addr)).code, 0)
  is(readOptions().server, addr)
})

test('wrong arguments and options that are no JSON are one line, and change nothing', async () => {
  const files = computer.listing()
  equal(
    (await install('--server', "'a;b'")).error,
    'fleet-agent: --server: expected an IPv4 address or a host name, got a;b\n',
  )
  match((await install('--port', '0')).error, 'port: expected 1 to 65535, got 0')
  match((await install('--port', '65536')).error, 'port: expected 1 to 65535, got 65536')
  equal((await install('--port', 'x')).error, 'fleet-agent: --port: expected a port, got x\n')
  match((await install('--url')).error, /^fleet-agent: expected --server, --port, --uninstall or --help, got --url\n$/)
  equal(computer.listing(), files)
  const text = computer.read('/opt/fleet-agent/options.json')
  computer.write('/opt/fleet-agent/options.json', '{')
  const { code, error } = await install()
  is(code, 1)
  match(error, /^fleet-agent: \/opt\/fleet-agent\/options\.json: .+\n$/)
  not.match(error, 'at JSON.parse')
  computer.write('/opt/fleet-agent/options.json', text)
})

test('poweroff comes to systemctl', async () => {
  is((await fleet('send', 'poweroff', '--client', '127.0.46.1', '--yes')).code, 0)
  await pollUntil(() => computer.read('/stand-ins/state/calls').endsWith('\npoweroff\n'), patience)
})

test('the removal leaves no file and no process, also when the agent itself runs it', async () => {
  // Also when the service does not run.
  const removal = 'systemctl stop fleet-agent.service; /opt/fleet-agent/uninstall'
  for (const remove of ['line', 'file', 'script'] as const) {
    if ((await agentProcesses()).length === 0) is((await install()).code, 0)
    if (remove === 'line') is((await install('--uninstall')).out, 'fleet-agent: removed\n')
    if (remove === 'file') equal(await computer.run(removal), { code: 0, out: 'fleet-agent: removed\n', error: '' })
    if (remove === 'script') await fleet('run', '--client', addr, '--', '/opt/fleet-agent/uninstall')
    await pollUntil(async () => (await agentProcesses()).length === 0, patience)
    equal(computer.listing(), before)
  }
  is((await install('--uninstall')).out, 'fleet-agent: not installed\n')
})

test.run()
