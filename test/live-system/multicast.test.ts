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
import { pollUntil } from '../harness/poll.ts'
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
async function restore(type = 'MULTICAST'): Promise<string[]> {
  const { job, parts } = await run('POST /image/restore', { clients, ...place, type, profile: '0' })
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

test('a stop ends the programs of all, and no partition has half an image', async () => {
  const begun = Promise.all(clients.map(firstBytes))
  const response = await lab.call('POST /image/restore', { clients, ...place, type: 'MULTICAST', profile: '0' })
  await begun
  await lab.call('POST /job/stop', { id: String(jobIdOf(response)) })
  const parts = await jobs.finished(jobIdOf(response))
  equal(
    parts.map(({ state }) => state),
    parts.map(() => 'failure'),
  )
  const programs = [...computers.map(receiverOf), network.senders().at(-1) ?? 0]
  await pollUntil(() => !programs.some(isRunning))
  await pollUntil(() => computers.every(({ device }) => spawnSync('blkid', ['--probe', device]).status === 2))
})

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('each gets it alone: without the program, with other bytes, with none', async () => {
  const image = lab.image('debian.img')
  const rows: [script: string, reason: RegExp][] = [
    ['echo not found >&2; exit 127', /udp-receiver: not found$/],
    [`head -c -1 ${image}; printf x`, /zstd: |partclone\.restore: |the image is damaged: /],
    ['exit 0', /the image: expected a file with content, got an empty one$/],
  ]
  for (const [index, [script]] of rows.entries())
    computers[index]?.fixture.program('udp-receiver', `#!/bin/sh\n${script}\n`)
  for (const [index, output] of (await restore()).entries()) {
    match(output, /^multicast failed, the image is sent to this computer alone: /)
    match(output.trim(), rows[index]?.[1] ?? /^$/)
  }
  for (const [index, { fixture }] of computers.entries()) receiveIn(index, fixture)
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

// In a network namespace of its own, where nothing else uses the loopback: docs/imaging.md has what it prints.
if (process.argv[2] === 'bytes')
  test('what the server sends by multicast and by unicast', async () => {
    const loopbackBytes = () => Number(/lo:\s*(\d+)/.exec(readFileSync('/proc/net/dev', 'utf8'))?.[1])
    const { size } = statSync(lab.image('debian.img'))
    for (const type of ['MULTICAST', 'UNICAST']) {
      const before = [network.sentBytes(), loopbackBytes()] as const
      await restore(type)
      const [multicast, http] = [network.sentBytes() - before[0], loopbackBytes() - before[1]]
      console.log(`${type}: ${size} bytes to 3 computers, sent by multicast ${multicast}, by HTTP ${http}`)
    }
  })

test.run()
