// An image that comes to several computers at once, with the real programs, each computer in a network namespace of its own.
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { suite } from 'uvu'
import { equal, is, ok } from 'uvu/assert'
import { contentOf, serverAddress, startCopyLab } from '../harness/copy-lab.ts'
import { canMakeNetworks, hasProgram } from '../harness/dhcp-lab.ts'
import { followJobs, jobIdOf } from '../harness/job-results.ts'
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
for (const [index, { fixture }] of computers.entries())
  fixture.program('udp-receiver', network.receiver(index + 1, fixture.record('receivers')))

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
  for (const { device } of computers) ok(contentOf(device, 'content') === content)
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

test.run()
