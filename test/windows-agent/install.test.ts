// install.cmd in Wine: where it gets Node from, what it writes and checks, and the removal.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { loadOptions } from '../../host/config/options.ts'
import { createAgentProgram } from '../../host/linux-agent/service.ts'
import { addRuntime, runtimeFile } from '../../host/windows-agent/runtime/runtime-folder.ts'
import { startAgentsPort } from '../harness/agents-port.ts'
import { agentCode } from '../harness/linux-agent.ts'
import { skipFile } from '../harness/skip-file.ts'
import { nodePackage } from '../harness/tar-archive.ts'
import { startTestHost } from '../harness/test-host.ts'
import { createWindowsComputer, hasWine, windowsNode } from '../harness/windows-computer.ts'

export const runs = { seconds: 120 }

if (!hasWine) skipFile('wine')
const computer = createWindowsComputer()
const server = await startAgentsPort()

const test = suite('install.cmd in Wine')
test.after(async () => {
  computer.remove()
  await server.stop()
})

const { options } = loadOptions()
const { installer } = createAgentProgram({ ...options, rest: { ...options.rest, ip: '0.0.0.0' } })
const scriptOf = async () => {
  const request = { header: () => '10.1.1.1:8888', isSecure: false, server: { address: '127.0.0.1', port: 8888 } }
  const { body } = await installer(request, 'install.cmd')
  // `as`: the body of this script is bytes.
  return Buffer.from(body as Uint8Array)
}

test('install.cmd places program and options, and its task connects; a second time it is an update', async () => {
  const script = await scriptOf()
  const args = ['--server', '127.0.0.1', '--port', String(server.port)]
  const first = await computer.install(script, ...args)
  match(first.out, /is installed as the scheduled task fleet-agent\r?\n.*it is connected to 127\.0\.0\.1:/)
  is(first.status, 0)
  is((await (await server.connection()).next()).status, 103)
  equal(JSON.parse(readFileSync(computer.path('options.json'), 'utf8')), { server: '127.0.0.1', port: server.port })
  is(readFileSync(computer.path('fleet-agent.js'), 'utf8'), agentCode)
  is((await computer.install(script)).status, 0)
  is((await (await server.connection()).next()).status, 103)
})

test('a script that was changed, and a wrong argument, change nothing', async () => {
  const script = await scriptOf()
  const changed = Buffer.concat([script, Buffer.from('\n')])
  match((await computer.install(changed)).out, /the program was changed on its way: expected SHA-256 /)
  match((await computer.install(script.subarray(0, script.length - 100))).out, /SyntaxError|changed on its way/)
  const wrong = await computer.install(script, '--server', 'a;b')
  match(wrong.out, /fleet-agent: --server: expected an IPv4 address or a host name, got a;b/)
  is(wrong.status, 1)
})

/** A daemon whose data folder has this Node, or another one of that digest. */
async function runtimeLab() {
  const data = join(computer.folder, 'data')
  const archive = join(computer.folder, 'node.tgz')
  writeFileSync(archive, nodePackage(readFileSync(windowsNode)))
  const runtime = await addRuntime(data, archive)
  const lab = await startTestHost({ options: { store: { adapter: 'memory', path: data } } })
  return { lab, file: runtimeFile(data, runtime) }
}

test('where no Node is, install.cmd downloads that of the server, and runs it only with its digest', async () => {
  computer.removeNode()
  rmSync(computer.path(''), { recursive: true })
  const without = await computer.install(await scriptOf())
  match(without.out, /expected Node 20 or newer, got none[\s\S]*fleet agent runtime add FILE/)
  equal([without.status, existsSync(computer.path(''))], [1, false])
  const { lab, file } = await runtimeLab()
  const script = Buffer.from((await lab.call('GET /agent/install.cmd')).text)
  const install = () => computer.install(script, '--server', '127.0.0.1', '--port', String(server.port))
  const program = readFileSync(file)
  writeFileSync(file, Buffer.concat([program, Buffer.from('x')]))
  const changed = await install()
  match(changed.out, /node\.exe was changed on its way: expected SHA-256 [0-9a-f]{64}, got [0-9a-f]{64}/)
  equal(
    [changed.status, existsSync(computer.path('download')), existsSync(computer.path('node.exe'))],
    [1, false, false],
  )
  writeFileSync(file, program)
  const { out, status } = await install()
  match(out, /it is connected to 127\.0\.0\.1:/)
  equal([status, existsSync(computer.path('download'))], [0, false])
  is(readFileSync(computer.path('node.exe')).equals(program), true)
  is((await (await server.connection()).next()).status, 103)
  await lab.stop()
})

test('where the computer has that Node nothing is downloaded', async () => {
  const { lab } = await runtimeLab()
  const script = Buffer.from((await lab.call('GET /agent/install.cmd')).text)
  await lab.stop()
  const { out, status } = await computer.install(script)
  equal([status, /expected node\.exe from/.test(out)], [0, false])
  is((await (await server.connection()).next()).status, 103)
})

test('install.cmd --uninstall ends the agent and removes its folder', async () => {
  const { out, status } = await computer.install(await scriptOf(), '--uninstall')
  match(out, /fleet-agent: removed/)
  equal([status, existsSync(computer.path(''))], [0, false])
})

test.run()
