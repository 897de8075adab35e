// The table of the agent protocol for the agent for Windows, in Wine.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, match } from 'uvu/assert'
import { protocol, startProtocolHost } from '../harness/agent-protocol.ts'
import { endPrograms } from '../harness/daemon-process.ts'
import { skipFile } from '../harness/skip-file.ts'
import { windowsComputer } from '../harness/tested-windows.ts'
import { hasWine } from '../harness/windows-computer.ts'

export const runs = { seconds: 150 }

if (!hasWine) skipFile('wine')
const folder = mkdtempSync(join(tmpdir(), 'windows-protocol-'))
const lab = await startProtocolHost(join(folder, 'commands'))
const computer = windowsComputer(lab, '127.0.48.3')
const { addr } = computer
await lab.addComputer(addr)
await computer.start()

const test = suite('agent for Windows')
test.after(async () => {
  await endPrograms()
  await lab.stop()
  computer.remove()
  rmSync(folder, { recursive: true })
})

async function run(command: string, payload: object = {}): Promise<void> {
  const ended = lab.event('command-ended', { addr, command })
  await lab.call(`POST /${command}`, { clients: [addr], ...payload })
  equal((await ended).result, 'success')
}

test('disks and hardware are those of CIM', async () => {
  await run('hardware')
  match((await lab.call('GET /hardware', { client: [addr] })).text, /Müller GmbH Büro 5/)
  const { partitions } = (await lab.call('GET /client/setup', { client: [addr] })).json
  equal(
    partitions.map(({ partition, filesystem, used_size }: Record<string, unknown>) => [
      partition,
      filesystem,
      used_size,
    ]),
    [
      [0, 0, 0],
      [1, 1, 0],
      [2, 13, 50],
    ],
  )
})

test('software is that of both views of the registry and of the user', async () => {
  await run('software', { disk: '1', partition: '2' })
  const { software } = (await lab.call('GET /software', { client: [addr], disk: 1, partition: 2 })).json
  const programs = ['Narrow 1.0', 'Own 1.0', 'Wide 1.0']
  equal(
    software.filter((name: string) => programs.includes(name)),
    programs,
  )
})

for (const [sentence, check] of Object.entries(protocol)) {
  // The cmd.exe of Wine does not read a file as UTF-8.
  if (!sentence.includes('any characters')) test(sentence, () => check(computer))
}

test.run()
