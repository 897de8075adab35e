// The steps of the lab, each with its time: a computer that nobody knows becomes one with a partitioned disk.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startProgram, stopPrograms } from '../../harness/daemon-process.ts'
import { address } from './lab-network.ts'
import { startComputer } from './virtual-computer.ts'

/** Seconds that a step may take on a busy machine without hardware virtualization. */
const patience = 1200

interface LabFiles {
  folder: string
  config: string
  dnsmasq: string
}

/** Resolves to the exit code. */
export async function runLab({ folder, config, dnsmasq }: LabFiles): Promise<number> {
  const daemon = startProgram(folder, { text: readFileSync(config, 'utf8') })
  await daemon.waitFor(/agent port/)
  const tftp = ['--keep-in-foreground', '--log-facility=-', '--pid-file=', '--user=root', '--dhcp-leasefile=/dev/null']
  spawn('dnsmasq', [...tftp, `--conf-file=${dnsmasq}`], { stdio: 'ignore' })
  const api = createApi(readFileSync(join(folder, 'data/api_token'), 'utf8').trim())
  const computer = startComputer(folder, 1)
  try {
    const client = await step('a computer without a record is pending', async () => {
      const { client } = await until(async () => (await api('GET /pending')).pending[0])
      return client
    })
    await computer.screenshot('pending')
    await step('it is adopted, and in state OPG', async () => {
      await api('POST /center/add', { name: 'Lab' })
      await api('POST /room/add', { name: 'Room 1', center: 1, netmask: '255.255.255.0' })
      await api('POST /client/adopt', { clients: [client], room: 1, names: { [client]: 'pc-1' } })
      await until(async () =>
        (await api('GET /clients')).clients.find((each: { state: string }) => each.state === 'OPG'),
      )
    })
    await step('a layout that does not fit is a failure with its reason', async () => {
      const reason = await endOf(api, await api('POST /setup', setupOf(client, 8_388_000)))
      if (!reason.includes('KiB that are free')) throw new Error(`expected the reason, got ${reason}`)
    })
    await step('its disk is partitioned, with three file systems', async () => {
      const reason = await endOf(api, await api('POST /setup', setupOf(client, 2_000_000)))
      if (reason !== 'success') throw new Error(reason)
      await api('POST /shell/run', { clients: [client], run: 'lsblk -no FSTYPE /dev/vda | xargs', echo: true })
      const { clients } = await until(async () => {
        const outputs = await api('POST /shell/output', { clients: [client] })
        return outputs.clients[0].output && outputs
      })
      if (clients[0].output.trim() !== 'vfat ext4 ntfs')
        throw new Error(`expected vfat ext4 ntfs, got ${clients[0].output}`)
    })
    await computer.screenshot('partitioned')
    await step('it powers off', async () => {
      await api('POST /poweroff', { clients: [client] })
      await computer.ended
    })
    return 0
  } catch (error) {
    await computer.screenshot('failed')
    console.error(error)
    return 1
  } finally {
    await stopPrograms()
  }
}

async function step<Result>(name: string, run: () => Promise<Result>): Promise<Result> {
  const start = Date.now()
  const result = await run()
  console.log(`${String(Math.round((Date.now() - start) / 1000)).padStart(5)} s  ${name}`)
  return result
}

/** The computer and the daemon have no event in common with this program: it asks every second. */
async function until<Result>(read: () => Promise<Result | undefined>): Promise<Result> {
  for (let second = 0; second < patience; second += 1) {
    const result = await read()
    if (result) return result
    await wait(1000)
  }
  throw new Error(`waited ${patience} s`)
}

type Api = ReturnType<typeof createApi>

/** Rejects for a refusal. */
const createApi =
  (token: string) =>
  // biome-ignore lint/suspicious/noExplicitAny: each step expects a shape of its own
  async (route: string, payload?: object): Promise<any> => {
    const [method = '', path = ''] = route.split(' ')
    const headers = { Authorization: token }
    const response = await fetch(`http://${address}:8888${path}`, {
      method,
      headers,
      ...(payload && { body: JSON.stringify(payload) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${route}: ${response.status} ${response.headers.get('X-Reason')}`)
    return text === '' ? { job: response.headers.get('X-Job-Id') } : JSON.parse(text)
  }

/** Resolves to `success`, or the reason why the only part of a job has failed. */
async function endOf(api: Api, { job }: { job: string }): Promise<string> {
  const { parts } = await until(async () => {
    const record = await api(`GET /jobs/${job}`)
    return record.parts[0].ended && record
  })
  return parts[0].reason ?? parts[0].state
}

const setupOf = (client: string, size: number) => ({
  clients: [client],
  type: 'GPT',
  disk: '1',
  cache: '0',
  cache_size: '0',
  partition_setup: [
    { partition: 1, code: 'EFI', filesystem: 'FAT32', size: 262_144, format: 1 },
    { partition: 2, code: 'LINUX', filesystem: 'EXT4', size: size - 300_000, format: 1 },
    { partition: 3, code: 'NTFS', filesystem: 'NTFS', size: 37_800, format: 1 },
    { partition: 4, code: 'EMPTY', filesystem: 'EMPTY', size: 0, format: 0 },
  ],
})
