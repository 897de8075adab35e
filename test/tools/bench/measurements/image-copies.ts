// Measures images of live systems: their rates beside the same work by shell programs, and the daemon while many restore.
//
// Both sides read or write the partition with partclone, use zstd with the same options, send the image by HTTP, compute
// its SHA-256 at each end (and the MD5 of a new one), and end when all is on the disk (fsync). The time of fleet is that
// of the whole job: also the checks of the file system, what is read of its system, records and replies. partclone ends
// only when it wants to show its progress again, each 2 s by default, which would hide all differences: here it need not wait.
import { execFile, execFileSync, spawn } from 'node:child_process'
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
const quiet = '--no_block_detail --UI-fresh 0 --logfile /dev/null 2> /dev/null'
const programs = {
  clone: (device: string) => `/usr/sbin/partclone.extfs --clone --source ${device} --output - ${quiet}`,
  restore: (device: string) => `/usr/sbin/partclone.restore --source - --overwrite ${device} ${quiet}`,
}
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
    fixture.program('partclone.extfs', `#!/bin/sh\nexec ${programs.clone(device)}\n`)
    fixture.program('partclone.restore', `#!/bin/sh\nexec ${programs.restore(device)}\n`)
    if (index === 0) execFileSync('mkfs.ext4', ['-q', '-F', '-d', source, device])
    const mac = `0200000000${String(index).padStart(2, '0')}`
    await daemon.call(token, 'POST /client/add', { name: `pc-${index}`, ip: addr, mac, room: 1, boot: 'none' })
    const agent = startLinuxAgent({ port, addr, fixture, more: { live: 'yes' } })
    bench.atEnd(() => agent.kill('SIGKILL'))
    await agent.waitFor(/reply 200 to GET \/refresh/)
  }
  return { daemon, computers }
}

/** The smallest server that sends a file, and keeps what it gets as another one. Returns its address. */
async function serve(bench: Bench, file: string, kept: string): Promise<string> {
  const keep = `tee >(sha256sum >&2) >(md5sum >&2) > ${kept} && sync ${kept}`
  const files = createServer((request, response) => {
    if (request.method === 'GET') return void pipeline(createReadStream(file), response)
    const shell = spawn('bash', ['-c', keep], { stdio: ['pipe', 'inherit', 'ignore'] })
    shell.on('exit', code => response.writeHead(code === 0 ? 200 : 500).end())
    request.pipe(shell.stdin)
  })
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
    const url = await serve(bench, image, alone)
    const digest = 'tee >(sha256sum >&2)'
    const restoreAlone = `curl -sSf ${url} | ${digest} | zstd -dqc | ${programs.restore(second.device)}`
    const createAlone = `${programs.clone(first.device)} | zstd -q -3 -T0 -c | ${digest} | curl -sSfT - ${url}`
    const size = statSync(image).size / megabyte
    const compare = async (figure: string, ours: Work, theirs: Work): Promise<Row> => {
      const measure = async (work: Work) => ({ rate: size / (await timeOf(work)) })
      const [fleet, pipe] = await inTurns([ours, theirs], { warm: 1, rounds: 5 }, measure)
      return { figure, measured: fleet?.rate ?? 0, baseline: pipe?.rate, unit: 'MB/s', targets: target }
    }
    const rows = [
      await compare(
        'restore, beside the same work in a shell',
        () => restore([second.addr]),
        () => shell(restoreAlone),
      ),
      await compare(
        'create, beside the same work in a shell',
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
