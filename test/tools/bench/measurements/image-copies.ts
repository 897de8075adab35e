// Measures images of live systems: their rates beside the same programs in a pipeline, and the daemon while many restore.
import { execFile, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createCopyFixture } from '../../../harness/copy-lab.ts'
import { type Program, startProgram } from '../../../harness/daemon-process.ts'
import { freePort } from '../../../harness/free-port.ts'
import { startLinuxAgent } from '../../../harness/linux-agent.ts'
import { token } from '../../../harness/rest-call.ts'
import { inTurns, type Measurement, type Row, type Target } from '../measurement.ts'
import type { Bench } from '../processes/bench.ts'
import { cpuOf, memoryOf } from '../processes/process-usage.ts'

const server = '10.9.9.9'
const pollTime = 50 // ms
const megabyte = 1e6
const mebibyte = 1024 * 1024
const target: Target[] = [{ of: 'ratio', min: 0.9 }]

/** What the image has: programs, as an installed system. */
const source = '/usr/bin'
const place = { disk: '1', partition: '1', name: 'debian', repository: server, id: '0' }

/** Runs a job; resolves when it has ended. */
async function runJob(daemon: Program, route: string, payload: object): Promise<void> {
  const { status, headers } = await daemon.call(token, route, payload)
  if (status !== 200) throw new Error(`${route}: ${status} ${headers['x-reason']}`)
  for (;;) {
    const { parts } = (await daemon.call(token, `GET /jobs/${headers['x-job-id']}`)).json
    const failed = parts.find(({ state }: { state: string }) => ['failure', 'skipped'].includes(state))
    if (failed) throw new Error(`${route}: ${failed.reason}`)
    if (parts.every(({ ended }: { ended?: string }) => ended)) return
    await wait(pollTime)
  }
}

type Work = () => Promise<unknown>

const timeOf = async (run: Work): Promise<number> => {
  const began = performance.now()
  await run()
  return (performance.now() - began) / 1000
}

/** A daemon with computers whose partitions are files; the first one has an installed system. */
async function startCopies(bench: Bench, folder: string, count: number) {
  const daemon = startProgram(folder, {
    options: {
      agents: { ip: '127.0.0.1', port: 0 },
      boot: { server },
      images: { log: { off: true }, transfer: { port: await freePort() } },
    },
    env: { FLEET_API_TOKEN: token },
  })
  bench.atEnd(() => daemon.kill('SIGKILL'))
  const port = await daemon.agentsPort()
  await daemon.call(token, 'POST /center/add', { name: 'Center' })
  await daemon.call(token, 'POST /room/add', { name: 'Room', netmask: '255.255.255.0', center: 1 })
  const bytes = Math.ceil(Number(execFileSync('du', ['-sm', source]).toString().split('\t')[0]) * 1.2 + 64) * mebibyte
  const computers = Array.from({ length: count }, (_, index) => {
    const addr = `127.9.0.${index + 1}`
    mkdirSync(join(folder, addr))
    return { addr, ...createCopyFixture(join(folder, addr), bytes) }
  })
  for (const [index, { addr, device, fixture }] of computers.entries()) {
    bench.atEnd(fixture.remove)
    if (index === 0) execFileSync('mkfs.ext4', ['-q', '-F', '-d', source, device])
    const mac = `0200000000${String(index).padStart(2, '0')}`
    await daemon.call(token, 'POST /client/add', { name: `pc-${index}`, ip: addr, mac, room: 1, boot: 'none' })
    const agent = startLinuxAgent({ port, addr, fixture, more: { live: 'yes' } })
    bench.atEnd(() => agent.kill('SIGKILL'))
    await agent.waitFor(/reply 200 to GET \/refresh/)
  }
  return { daemon, computers }
}

/** The smallest server of a file. Returns its address. */
async function serve(bench: Bench, file: string): Promise<string> {
  const files = createServer((_, response) => pipeline(createReadStream(file), response))
  await once(files.listen(0, '127.0.0.1'), 'listening')
  bench.atEnd(() => files.close())
  const address = files.address()
  return `http://127.0.0.1:${address instanceof Object ? address.port : 0}/`
}

/** What the daemon needs while `run` runs: seconds of processor time, and MiB at most. */
async function watch(pid: number, run: Work) {
  const before = await cpuOf(pid)
  let [memory, isRunning] = [memoryOf(pid), true]
  const seconds = timeOf(run).finally(() => {
    isRunning = false
  })
  while (isRunning) {
    memory = Math.max(memory, memoryOf(pid))
    await wait(pollTime)
  }
  return { seconds: await seconds, cpu: ((await cpuOf(pid)) - before) / 1000, memory: memory / mebibyte }
}

export const imageCopies: Measurement = {
  name: 'image-copies',
  sizes: [8],
  async run(bench, count): Promise<Row[]> {
    const folder = mkdtempSync(join(tmpdir(), 'image-copies-'))
    bench.atEnd(() => rmSync(folder, { recursive: true, force: true }))
    const { daemon, computers } = await startCopies(bench, folder, count)
    const [first, second] = computers
    if (!first || !second) throw new Error('expected two computers')
    const restore = (clients: string[]) =>
      runJob(daemon, 'POST /image/restore', { clients, ...place, type: 'UNICAST', profile: '0' })
    // The first image has a description; without one it becomes a version when the next one is made.
    const create = (more = {}) =>
      runJob(daemon, 'POST /image/create', { clients: [first.addr], ...place, code: '131', ...more })
    await create({ description: 'Debian' })
    const [image, alone] = [join(folder, 'data/images/debian.img'), join(folder, 'alone.img')]
    const shell = (script: string) =>
      promisify(execFile)('bash', ['-o', 'pipefail', '-c', script], { maxBuffer: 2 ** 26 })
    const url = await serve(bench, image)
    const restoreAlone = `curl -sS ${url} | zstd -dqc | partclone.restore -s - -O ${second.device} -L /dev/null`
    const createAlone = `partclone.extfs -c -s ${first.device} -o - -L /dev/null | zstd -q -3 -T0 -c > ${alone}`
    const size = statSync(image).size / megabyte
    const compare = async (figure: string, ours: Work, theirs: Work): Promise<Row> => {
      const measure = async (work: Work) => ({ rate: size / (await timeOf(work)) })
      const [fleet, pipe] = await inTurns([ours, theirs], { warm: 1, rounds: 5 }, measure)
      return { figure, measured: fleet?.rate ?? 0, baseline: pipe?.rate, unit: 'MB/s', targets: target }
    }
    const rows = [
      await compare(
        'restore, beside curl | zstd | partclone',
        () => restore([second.addr]),
        () => shell(restoreAlone),
      ),
      await compare(
        'create, beside partclone | zstd > file',
        () => create(),
        () => shell(createAlone),
      ),
    ]
    const idle = memoryOf(daemon.pid) / mebibyte
    const { seconds, cpu, memory } = await watch(daemon.pid, () => restore(computers.map(({ addr }) => addr)))
    return [
      ...rows,
      { figure: `${count} restores at once, all`, measured: (size * count) / seconds, unit: 'MB/s' },
      { figure: 'processor time of the daemon meanwhile', measured: (cpu / seconds) * 100, unit: '%' },
      { figure: 'processor time of the daemon for each GB', measured: cpu / ((size * count) / 1000), unit: 's' },
      { figure: 'memory of the daemon at most, beside that before', measured: memory, baseline: idle, unit: 'MiB' },
    ]
  },
}
