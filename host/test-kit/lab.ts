// Starts a daemon in memory for the tests of modules, with clients, a clock and a caller.
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { loadOptions } from '../config/options.ts'
import type { LabOptions, LabResponse, StartLab, TestLab } from '../contract/test-lab.ts'
import { startHost } from '../host.ts'
import { createLog, inFile } from '../log/log.ts'
import { readInterval } from '../modules/validate-hook.ts'
import { LabClient } from './lab-client.ts'
import { createManualClock } from './manual-clock.ts'
import { whenSettled } from './settled.ts'

const token = 'the-token'

/** Clients differ by their addresses: each lab of a process has a network of its own. */
let labs = 0

export const createLab: StartLab = async options => {
  const parent = realpathSync(mkdtempSync(join(tmpdir(), 'fleet-lab-')))
  const log: string[] = []
  const clock = createManualClock(options.start)
  const host = await startHost({
    options: loadOptions(writeOptions(parent, options)).options,
    token: { value: token },
    log: createLog(line => log.push(line)),
    clock,
  })
  const addresses = nextAddresses(options.clients ?? 0)
  const clients = addresses.map(addr => new LabClient(addr, host))
  const call = (route: string, payload?: object | string, headers: Record<string, string> = {}) =>
    send(host.ports.rest, route, payload, headers)
  const settle = (looks?: number) => whenSettled(path => call(`GET ${path}`), looks)
  let stopped: Promise<void> | undefined
  const stop = async () => {
    for (const client of clients) client.destroy()
    await host.stop()
    rmSync(parent, { recursive: true, force: true })
  }
  const lab: TestLab<never> = {
    addresses,
    clients,
    collections: host.packContext(options.pack ?? basename(options.folder)).collections as never, // As the pack declares.
    log,
    get: (path, headers) => call(`GET ${path}`, undefined, headers),
    async post(path, payload, headers) {
      const response = await call(`POST ${path}`, payload, headers)
      await settle()
      return response
    },
    call,
    async advance(time) {
      await settle()
      const end = clock.now() + (typeof time === 'number' ? time : readInterval(time))
      // What one timer starts has ended before the next one is due.
      for (let due = clock.nextDue(); due !== undefined && due <= end; due = clock.nextDue()) {
        await clock.advance(Math.max(0, due - clock.now()))
        await settle(1)
      }
      await clock.advance(Math.max(0, end - clock.now()))
      await settle()
    },
    settle: () => settle(),
    stop() {
      stopped ??= stop()
      return stopped
    },
  }
  try {
    await prepare(lab, clients, options)
  } catch (error) {
    await lab.stop()
    throw error
  }
  return lab as TestLab<never> as never // The pack is known to the caller only.
}

/** Records for the clients, the settings of the pack, and connections. */
async function prepare(lab: TestLab<never>, clients: LabClient[], options: LabOptions<never>): Promise<void> {
  const { pack = basename(options.folder), settings } = options
  const { modules } = (await lab.get('/modules')).json
  const own = modules.filter(({ origin }: { origin: string }) => origin !== 'built-in')
  for (const { file, error } of own) if (error) throw new Error(`startLab: ${inFile(file, error)}`)
  if (settings) expectAccepted(await lab.post('/pack/settings', { pack, settings }))
  if (clients.length === 0) return
  expectAccepted(await lab.post('/center/add', { name: 'Center' }))
  expectAccepted(await lab.post('/room/add', { name: 'Room', netmask: '255.255.255.0', center: 1 }))
  for (const { addr } of clients) {
    const mac = addr.split('.').map(byte => Number(byte).toString(16).padStart(2, '0'))
    const computer = { name: `pc-${addr}`, ip: addr, mac: `0200${mac.join('')}`, room: 1 }
    expectAccepted(await lab.post('/client/add', computer))
  }
  for (const client of clients) await client.connect()
  await lab.settle()
}

function expectAccepted({ status, reason }: LabResponse): void {
  if (status !== 200) throw new Error(`startLab: ${reason || `status ${status}`}`)
}

/** Returns the file of the options. A pack is loaded from a link in a folder of its own. */
function writeOptions(parent: string, { folder, options = {} }: LabOptions<never>): string {
  const isPack = ['.ts', '.mts', '.js', '.mjs'].some(extension => existsSync(join(folder, `pack${extension}`)))
  const commands = isPack ? join(parent, 'commands') : folder
  if (isPack) {
    mkdirSync(commands)
    symlinkSync(folder, join(commands, basename(folder)))
  }
  const file = join(parent, 'options.json')
  const defaults = {
    rest: { port: 0 },
    agents: { ip: '127.0.0.1', port: 0 },
    store: { adapter: 'memory', path: './data' },
    repository: { directory: './images' },
    images: { log: { off: true } },
  }
  writeFileSync(file, JSON.stringify({ ...defaults, ...options, commands: [commands] }))
  return file
}

function nextAddresses(count: number): string[] {
  labs += 1
  if (count > 200) throw new Error(`startLab: clients: expected at most 200, got ${count}`)
  return Array.from({ length: count }, (_, index) => `127.${100 + (labs % 100)}.${process.pid % 250}.${index + 1}`)
}

async function send(
  port: number,
  route: string,
  payload: object | string | undefined,
  headers: Record<string, string>,
): Promise<LabResponse> {
  const [method = '', path = ''] = route.split(' ')
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { Authorization: token, ...headers },
    ...(payload && { body: typeof payload === 'string' ? payload : JSON.stringify(payload) }),
    redirect: 'manual',
  })
  const text = await response.text()
  const isJson = /^application\/json(;|$)/.test(response.headers.get('content-type') ?? '')
  return {
    status: response.status,
    reason: response.headers.get('x-reason') ?? '',
    headers: Object.fromEntries(response.headers),
    text,
    json: isJson && text !== '' ? JSON.parse(text) : undefined,
  }
}
