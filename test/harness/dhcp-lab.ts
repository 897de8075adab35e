// A lab with the built-in pack dhcp, and programs that test what real DHCP servers do with it.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pack from '../../commands/packs/dhcp/pack.ts'
import type { TestLab } from '../../host/contract/test-lab.ts'
import { createLab } from '../../host/test-kit/lab.ts'

export interface DhcpLab extends TestLab<typeof pack> {
  /** For the files of servers. */
  folder: string
  accepted(path: string, payload?: object): Promise<TestLabResponse>
  set(settings: object): Promise<TestLabResponse>
}

type TestLabResponse = Awaited<ReturnType<TestLab['post']>>

export const macOf = (number: number) => `02000000000${number}`

/** The pack is enabled; rooms 1 and 2, and the computers 10.77.0.11 and .12 in room 1, without connections. */
export async function startDhcpLab(): Promise<DhcpLab> {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-dhcp-'))
  const lab = await createLab<typeof pack>({ folder, pack: 'dhcp' })
  const accepted = async (path: string, payload?: object) => {
    const response = await lab.post(path, payload)
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${response.reason}`)
    return response
  }
  await accepted('/pack/enable', { pack: 'dhcp' })
  await accepted('/center/add', { name: 'Center' })
  for (const name of ['Lab 1', 'Lab 2']) await accepted('/room/add', { name, netmask: '255.255.255.0', center: 1 })
  for (const number of [1, 2])
    await accepted('/client/add', { name: `pc-${number}`, ip: `10.77.0.1${number}`, mac: macOf(number), room: 1 })
  return {
    ...lab,
    folder,
    accepted,
    set: settings => lab.post('/pack/settings', { pack: 'dhcp', settings }),
    async stop() {
      await lab.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export const rowsOf = async (lab: DhcpLab) => (await lab.get('/view/dhcp/dhcp-differences')).json.rows

/** Computer 1 gets the address 10.77.0.21. */
export const moveComputer = (lab: DhcpLab) =>
  lab.accepted('/client/import', { format: 'csv', update: true, text: `name,ip,mac\npc-1,10.77.0.21,${macOf(1)}\n` })

export async function withDhcpLab(use: (lab: DhcpLab) => Promise<void>): Promise<void> {
  const lab = await startDhcpLab()
  try {
    await use(lab)
  } finally {
    await lab.stop()
  }
}

export const addComputer = (lab: DhcpLab, values: object) =>
  lab.accepted('/client/add', { name: 'pc', mac: macOf(3), room: 1, ...values })
export const syncOf = async (lab: DhcpLab, path = '/dhcp/sync') => (await lab.accepted(path)).json.servers
export const statesOf = async (lab: DhcpLab) =>
  (await rowsOf(lab)).map(({ state, ip }: Record<string, string>) => (ip ? `${state} ${ip}` : state))

const ip = (...words: string[]) => spawnSync('ip', words, { encoding: 'utf8' })

/** Whether this process may make network namespaces. */
export function canMakeNetworks(): boolean {
  const name = `fleet-test-${process.pid}`
  const isMade = process.getuid?.() === 0 && ip('netns', 'add', name).status === 0
  if (isMade) ip('netns', 'delete', name)
  return isMade
}

export const hasProgram = (name: string) =>
  ['/usr/sbin', '/usr/bin', '/sbin', '/bin'].some(folder => existsSync(join(folder, name)))

let networks = 0

/** A server, 10.77.0.1, and a client with the hardware address 1, each in a namespace that has nothing but their cable. */
export function startDhcpNetwork(folder: string) {
  networks += 1
  const [server, client] = ['s', 'c'].map(end => `fleet-${process.pid}-${networks}${end}`) as [string, string] // Two.
  const run = (...words: string[]) => {
    const { status, stderr } = ip(...words)
    if (status !== 0) throw new Error(`ip ${words.join(' ')}: ${stderr}`)
  }
  for (const name of [server, client]) run('netns', 'add', name)
  run('link', 'add', 'cable', 'netns', server, 'type', 'veth', 'peer', 'name', 'cable', 'netns', client)
  const mac = (macOf(1).match(/../g) ?? []).join(':')
  run('-n', client, 'link', 'set', 'cable', 'address', mac, 'up')
  run('-n', server, 'address', 'add', '10.77.0.1/24', 'dev', 'cable')
  for (const device of ['cable', 'lo']) run('-n', server, 'link', 'set', device, 'up')
  // The kernel says so a moment later, and Kea listens on no other device.
  for (
    let looks = 0;
    looks < 500 && !ip('-n', server, 'link', 'show', 'cable').stdout.includes('state UP');
    looks += 1
  );
  const script = join(folder, 'udhcpc-script')
  const lease = join(folder, 'lease')
  writeFileSync(
    script,
    `#!/bin/sh\n[ "$1" = bound ] && echo "$ip $siaddr $boot_file $hostname" >'${lease}'\nexit 0\n`,
    {
      mode: 0o755,
    },
  )
  const children: ChildProcess[] = []
  let output = ''
  return {
    /** Starts a program in the namespace of the server; resolves when its output has this text. */
    async serve(ready: string, program: string, words: string[], environment = {}) {
      const child = spawn('ip', ['netns', 'exec', server, program, ...words], {
        env: { ...process.env, ...environment },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      children.push(child)
      for (const stream of [child.stdout, child.stderr]) stream.on('data', text => (output += text))
      await outputOf(child, ready)
    },
    /** Address, next server, boot file and name that a client with UEFI gets, which begins anew each time. */
    async lease(): Promise<string[]> {
      rmSync(lease, { force: true })
      const words = ['udhcpc', '-i', 'cable', '-n', '-q', '-f', '-t', '20', '-T', '1', '-x', '0x5d:0007', '-s', script]
      const child = spawn('ip', ['netns', 'exec', client, 'busybox', ...words], { stdio: 'ignore' })
      await once(child, 'exit')
      if (!existsSync(lease)) throw new Error(`no lease: ${output}`)
      return readFileSync(lease, 'utf8').trim().split(' ')
    },
    async stop() {
      for (const child of children) await end(child)
      for (const name of [client, server]) run('netns', 'delete', name)
    },
  }
}

export async function outputOf(child: ChildProcess, ready: string): Promise<void> {
  let output = ''
  await new Promise<void>((resolve, reject) => {
    const add = (text: Buffer) => {
      output += text
      if (output.includes(ready)) resolve()
    }
    child.stdout?.on('data', add)
    child.stderr?.on('data', add)
    child.once('exit', code => reject(new Error(`ended with ${code} before "${ready}": ${output}`)))
    child.once('error', reject)
  })
}

export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}
