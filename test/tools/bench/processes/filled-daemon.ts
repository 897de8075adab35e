// Starts a daemon with realistic data: connected agents, the inventory of each, and some images.

import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { writeImage } from '../../simulator/image-writer.ts'
import type { Agents } from './agents.ts'
import type { Child } from './child-process.ts'
import { computerSpecOf } from './computers.ts'
import { type MeasuredDaemon, startMeasuredDaemon } from './measured-daemon.ts'

const atOnce = 500
const images = 20
const pollTime = 20 // ms

/** Connects agents for the first `connected` computers. */
export async function startFilledDaemon(
  computers: number,
  agents: Child<Agents>,
  connected: number,
): Promise<MeasuredDaemon> {
  const daemon = await startMeasuredDaemon(computers)
  await agents.ask('connect', { port: daemon.ports.agents, count: connected, atOnce, round: 0 })
  await daemon.waitForClients(connected)
  const clients = Array.from({ length: connected }, (_, index) => computerSpecOf(index).ip)
  await forwardAndWait(daemon, 'POST /hardware', { clients })
  await forwardAndWait(daemon, 'POST /software', { clients, disk: '1', partition: '2' })
  await forwardAndWait(daemon, 'POST /clients', { clients })
  for (const [index, client] of clients.slice(0, images).entries()) {
    const name = `image-${index}`
    const image = { disk: '1', partition: '2', code: '131', name, id: '0', repository: '127.0.0.1', description: name }
    // The daemon looks for the file when the agent has replied, and would keep one from before the command as a version.
    await agents.ask('hold')
    await daemon.call('POST /image/create', { clients: [client], ...image })
    writeImage(join(daemon.folder, 'data/images'), name, false)
    await agents.ask('release')
    await waitForJob(daemon, 'POST /image/create')
  }
  return daemon
}

/** Sends a command and resolves when all replies are stored. */
export async function forwardAndWait(daemon: MeasuredDaemon, route: string, payload: object): Promise<void> {
  await daemon.call(route, payload)
  await waitForJob(daemon, route)
}

/** Resolves when the last job has ended on all agents. */
async function waitForJob(daemon: MeasuredDaemon, route: string): Promise<void> {
  for (;;) {
    const { jobs } = await daemon.call<{ jobs: { counts: Record<string, number> }[] }>('GET /jobs?limit=1')
    const { sent, failure } = jobs[0]?.counts ?? {}
    if (failure) throw new Error(`${route}: ${failure} agents failed`)
    if (sent === 0) return
    await wait(pollTime)
  }
}
