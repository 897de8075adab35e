// The steps of the lab, each with its time: computers that nobody knows get the system of the first one.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startProgram, stopPrograms } from '../../harness/daemon-process.ts'
import { address, macOf, master } from './lab-network.ts'
import { masterDisk } from './master-disk.ts'
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
  await api('POST /center/add', { name: 'Lab' })
  await api('POST /room/add', { name: 'Room 1', center: 1, netmask: '255.255.255.0' })
  // It has a record: a computer without one starts what is on its disk.
  await api('POST /client/add', { name: 'pc-1', ip: master, mac: macOf(1), room: 1, boot: 'pxe' })
  const computers = [startComputer(folder, 1, masterDisk(folder)), startComputer(folder, 2)]
  const screenshots = async (name: string) => {
    for (const computer of computers) await computer.screenshot(name).catch(() => {})
  }
  try {
    const other = await step('a computer without a record, with an empty disk, is pending', async () => {
      const { client } = await until(async () => (await api('GET /pending')).pending[0])
      return client
    })
    await screenshots('pending')
    await step('it is adopted, and both are in state OPG', async () => {
      await api('POST /client/adopt', { clients: [other], room: 1, names: { [other]: 'pc-2' } })
      await until(async () => (await stateOf(api, master)) === 'OPG' && (await stateOf(api, other)) === 'OPG')
    })
    await prepareDisk(api, other)
    await step('an image is made of the first one', () =>
      succeed(api, 'POST /image/create', { clients: [master], ...place, code: '131', description: 'Debian' }),
    )
    await step('it is restored to the second one, whose partition is larger', () =>
      succeed(api, 'POST /image/restore', { clients: [other], ...place, type: 'UNICAST', profile: '0' }),
    )
    await screenshots('restored')
    await step('all files but those of the computer itself are the same', async () => {
      const [ofMaster, ofOther] = [await outputOf(api, master, listFiles), await outputOf(api, other, listFiles)]
      if (ofMaster !== ofOther || !/^[0-9a-f]{64} {2}-\n\d{4,}\n$/.test(ofMaster))
        throw new Error(`expected the same files, got ${ofMaster} and ${ofOther}`)
    })
    await step('it starts the restored system, with the name of its record', async () => {
      await api('POST /session', { clients: [other], disk: '1', partition: '2' })
      await until(async () => (await statusOf(api, other)) === 'linux')
      const text = await outputOf(api, other, 'hostname; findmnt -no SOURCE /; cat /etc/machine-id')
      const [name, root, id = ''] = text.trim().split('\n')
      if (name !== 'pc-2' || root !== '/dev/vda2' || !/^[0-9a-f]{32}$/.test(id) || id.startsWith('0123'))
        throw new Error(`expected pc-2 on /dev/vda2 with a new id, got ${text}`)
    })
    await screenshots('session')
    await step('both power off', async () => {
      await api('POST /poweroff', { clients: [master, other] })
      await Promise.all(computers.map(({ ended }) => ended))
    })
    await tryBios(api, folder)
    return 0
  } catch (error) {
    await screenshots('failed')
    console.error(error)
    return 1
  } finally {
    await stopPrograms()
  }
}

/** The third computer, when the others are off. */
async function tryBios(api: Api, folder: string): Promise<void> {
  const computer = startComputer(folder, 3, undefined, 'bios')
  const client = await step('a computer with BIOS and an empty disk is pending, and adopted', async () => {
    const { client } = await until(async () => (await api('GET /pending')).pending[0])
    await api('POST /client/adopt', { clients: [client], room: 1, names: { [client]: 'pc-3' } })
    await until(async () => (await stateOf(api, client)) === 'OPG')
    return client
  })
  await computer.screenshot('bios')
  await step('its disk is partitioned, and it powers off', async () => {
    await succeed(api, 'POST /setup', { ...setupOf(client, 3_000_000), type: 'MSDOS' })
    await api('POST /poweroff', { clients: [client] })
    await computer.ended
  })
}

const place = { disk: '1', partition: '2', name: 'debian', repository: address, id: '0' }

/** A digest of all files, and their number, without those that each computer has for itself. */
const listFiles = `mount -o ro,noload /dev/vda2 /mnt && cd /mnt || exit 1
find . -xdev -type f ! -path ./etc/hostname ! -path ./etc/hosts ! -path ./etc/machine-id | sort > /tmp/files
xargs -d '\\n' sha256sum < /tmp/files | sha256sum
wc -l < /tmp/files
cd / && umount /mnt`

async function prepareDisk(api: Api, client: string): Promise<void> {
  await step('a layout that does not fit is a failure with its reason', async () => {
    const reason = await endOf(api, await api('POST /setup', setupOf(client, 8_388_000)))
    if (!reason.includes('KiB that are free')) throw new Error(`expected the reason, got ${reason}`)
  })
  await step('its disk is partitioned, with three file systems', async () => {
    await succeed(api, 'POST /setup', setupOf(client, 3_000_000))
    const types = await outputOf(api, client, 'lsblk -no FSTYPE /dev/vda | xargs')
    if (types.trim() !== 'vfat ext4 ntfs') throw new Error(`expected vfat ext4 ntfs, got ${types}`)
  })
}

const clientOf = async (api: Api, client: string) =>
  (await api('GET /clients')).clients.find((each: { addr: string }) => each.addr === client)

const stateOf = async (api: Api, client: string) => (await clientOf(api, client))?.state
const statusOf = async (api: Api, client: string) => (await clientOf(api, client))?.status

/** Rejects with the reason of the failure. */
async function succeed(api: Api, route: string, payload: object): Promise<void> {
  const reason = await endOf(api, await api(route, payload))
  if (reason !== 'success') throw new Error(reason)
}

/** What a script prints. */
async function outputOf(api: Api, client: string, run: string): Promise<string> {
  await succeed(api, 'POST /shell/run', { clients: [client], run, echo: true })
  return (await api('POST /shell/output', { clients: [client] })).clients[0].output
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
    const result = await read().catch(ignoreClosed)
    if (result) return result
    await wait(1000)
  }
  throw new Error(`waited ${patience} s`)
}

/** A connection that was kept may just have been closed. */
function ignoreClosed(error: unknown): undefined {
  if (!(error instanceof TypeError)) throw error
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
