// An image that comes to several computers at once, with the real programs, each computer in a network namespace of its own.
import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { type CopyComputer, contentOf, serverAddress, startCopyLab } from '../harness/copy-lab.ts'
import { canMakeNetworks, hasProgram } from '../harness/dhcp-lab.ts'
import { followJobs, jobIdOf } from '../harness/job-results.ts'
import type { LinuxFixture } from '../harness/linux-fixture.ts'
import { startMulticastNetwork } from '../harness/multicast-network.ts'
import { skipFile } from '../harness/skip-file.ts'

if (spawnSync('partclone.extfs', ['--version']).error || spawnSync('zstd', ['--version']).error) skipFile('partclone')
if (!hasProgram('udp-sender')) skipFile('udpcast')
if (!canMakeNetworks()) skipFile('root')

const mebibyte = 1024 * 1024
const network = startMulticastNetwork(3)
const lab = await startCopyLab({ rate_mbit: 100 })
const jobs = followJobs(lab)
const content = randomBytes(10 * mebibyte).toString('hex')
const computers = await Promise.all([1, 2, 3].map(number => lab.computer(`127.0.44.${number}`, 64 * mebibyte)))
const clients = computers.map(({ addr }) => addr)
const receiveIn = (index: number, fixture: LinuxFixture) =>
  fixture.program('udp-receiver', network.receiver(index + 1, fixture.record('receivers')))
for (const [index, { fixture }] of computers.entries()) receiveIn(index, fixture)

const test = suite('multicast')
test.after(async () => {
  await lab.stop()
  network.stop()
})

const place = { disk: '1', partition: '1', name: 'debian', repository: serverAddress, id: '0' }

async function run(route: string, payload: object) {
  const response = await lab.call(route, payload)
  is(response.status, 200, String(response.headers['x-reason']))
  return { job: jobIdOf(response), parts: await jobs.finished(jobIdOf(response)) }
}

/** Resolves to what the restore has printed on each computer, all of which have the image then. */
async function restore(): Promise<string[]> {
  const { job, parts } = await run('POST /image/restore', { clients, ...place, type: 'MULTICAST', profile: '0' })
  equal(
    parts.map(({ state, reason }) => [state, reason]),
    parts.map(() => ['success', undefined]),
  )
  for (const { device } of computers) {
    ok(contentOf(device, 'content') === content)
    // The next restore has to write it again.
    execFileSync('wipefs', ['--all', device], { stdio: 'ignore' })
  }
  const withOutput = await Promise.all(clients.map(client => jobs.parts(job, `?client=${client}`)))
  return withOutput.map(([part]) => part?.output ?? '')
}

test('three computers get an image that the server sends once', async () => {
  const [master] = computers
  if (!master) throw new Error('expected a computer, got none')
  lab.fill(master.device, content)
  const { parts } = await run('POST /image/create', {
    ...{ clients: [master.addr], ...place, code: '131', description: 'Debian' },
  })
  is(parts[0]?.state, 'success')
  const before = network.sentBytes()
  equal(await restore(), ['', '', ''])
  const { size } = statSync(lab.image('debian.img'))
  const sent = (network.sentBytes() - before) / size
  ok(sent > 1 && sent < 1.5, `${sent} times the size`)
  is(network.senders().length, 1)
})

/** The process that a computer has started last to receive. */
const receiverOf = ({ fixture }: CopyComputer) =>
  Number(readFileSync(fixture.record('receivers'), 'utf8').trim().split('\n').at(-1))

const firstBytes = (addr: string) => lab.event('job-progress', { addr })

test('the others get it at once when the program of one dies, and that one gets it alone', async () => {
  const [, , last] = computers
  if (!last) throw new Error('expected three computers')
  const begun = firstBytes(last.addr)
  const sent = lab.logged(/image debian to 3 computers at once: sent in/)
  const restored = restore()
  await begun
  process.kill(receiverOf(last), 'SIGKILL')
  const [first, second, third = ''] = await restored
  equal([first, second], ['', ''])
  match(third, /^multicast failed, the image is sent to this computer alone: udp-receiver: ended by SIGKILL\n$/)
  await sent
})

test('all get it alone when the sender is killed', async () => {
  const begun = firstBytes(clients[0] ?? '')
  const restored = restore()
  await begun
  process.kill(network.senders().at(-1) ?? 0, 'SIGKILL')
  for (const output of await restored) match(output, /^multicast failed, .*: udp-receiver: Receiver timeout\n$/)
  await lab.logged(/WARN.*image debian to 3 computers at once: udp-sender ended with SIGKILL/i)
})

test('all get it alone without the program that receives it', async () => {
  const programs = computers.map(({ fixture }) => fixture)
  for (const fixture of programs) fixture.program('udp-receiver', '#!/bin/sh\necho not found >&2\nexit 127\n')
  for (const output of await restore()) match(output, /^multicast failed, .*: udp-receiver: not found\n$/)
  for (const [index, fixture] of programs.entries()) receiveIn(index, fixture)
})

test('all get it alone without the program that sends it, and again at once when it is there', async () => {
  const { PATH } = process.env
  process.env.PATH = '/nowhere'
  const begun = firstBytes(clients[0] ?? '')
  const restored = restore()
  await begun
  process.env.PATH = PATH
  for (const output of await restored) match(output, /^multicast failed, .*: spawn udp-sender ENOENT\n$/)
  equal(await restore(), ['', '', ''])
})

test.run()
