// Starts the host of a checkout in this process, also of an older version, to be compared with another one.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { loadOptions } from '../../../../host/config/options.ts'
import type { startHost } from '../../../../host/host.ts'
import type { createLog } from '../../../../host/log/log.ts'
import { call } from '../../../harness/rest-call.ts'
import { token } from '../../../harness/test-host.ts'
import { computerSpecOf } from './computers.ts'

export interface HostVersion {
  port: number
  agentPort: number
  stop(): Promise<void>
}

/** What is used of a version. */
interface Modules {
  startHost: typeof startHost
  loadOptions: typeof loadOptions
  createLog: typeof createLog
}

const silent = () => {}

/** Rejects when the folder has no host, or one that cannot be started so. */
export async function startVersion(folder: string, computers: number, adapter: string): Promise<HostVersion> {
  const { startHost, loadOptions, createLog } = await importVersion(resolve(folder))
  const data = mkdtempSync(join(tmpdir(), 'fleet-compare-'))
  const remove = () => rmSync(data, { recursive: true, force: true })
  const file = join(data, 'options.json')
  const ports = { rest: { ip: '127.0.0.1', port: 0 }, agents: { ip: '127.0.0.1', port: 0 } }
  writeFileSync(file, JSON.stringify({ ...ports, store: { adapter, path: './data' } }))
  for (const expected of [{ value: token }, token]) {
    // `as`: older versions take the token as a text.
    const deps = { options: loadOptions(file).options, token: expected as { value: string }, log: createLog(silent) }
    const host = await startHost(deps).catch(silent)
    const port = host?.ports.rest ?? 0
    if (host && (await call(port, 'GET /clients')).status === 200) {
      await addComputers(port, computers)
      const stop = () => host.stop().finally(remove)
      return { port, agentPort: host.ports.agents, stop }
    }
    await host?.stop()
  }
  remove()
  throw new Error(`${folder}: expected a host that takes the API token as a text or as { value }, got another one`)
}

async function importVersion(folder: string): Promise<Modules> {
  const importOf = (...files: string[]) => {
    const file = files.map(each => join(folder, each)).find(existsSync)
    if (file === undefined) throw new Error(`--base: expected a checkout with ${files.join(' or ')}, got ${folder}`)
    return import(pathToFileURL(file).href)
  }
  const [host, options, log] = await Promise.all([
    importOf('host/host.ts'),
    importOf('host/config/options.ts', 'host/options.ts'),
    importOf('host/log/log.ts', 'host/system/log.ts', 'host/log.ts'),
  ])
  return { ...host, ...options, ...log }
}

async function addComputers(port: number, count: number): Promise<void> {
  const add = async (route: string, payload: object) => {
    const { status } = await call(port, route, payload)
    if (status !== 200) throw new Error(`${route}: expected 200, got ${status}`)
  }
  await add('POST /center/add', { name: 'Center', comment: '' })
  await add('POST /room/add', { name: 'Room', netmask: '255.255.255.0', center: 1 })
  for (let index = 0; index < count; index += 1) {
    const { name, ip, mac } = computerSpecOf(index)
    await add('POST /client/add', { name, ip, mac, room: 1 })
  }
}
