// Fills a daemon with realistic data, and waits for the ends of its jobs.

import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { writeImage } from '../../simulator/images.ts'
import type { Agents } from './agents.ts'
import type { Child } from './child-process.ts'
import { addressesOf } from './computers.ts'
import type { MeasuredDaemon } from './measured-daemon.ts'

const images = 20

/** Stores the inventory of all connected agents, and some images. */
export async function fillDaemon(daemon: MeasuredDaemon, agents: Child<Agents>, connected: number): Promise<void> {
  const clients = addressesOf(connected)
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
}

/** Sends a command and resolves when all replies are stored. */
export async function forwardAndWait(daemon: MeasuredDaemon, route: string, payload: object): Promise<void> {
  await daemon.call(route, payload)
  await waitForJob(daemon, route)
}

/** Resolves when the last job has ended on all agents; is asked every `pollTime` milliseconds. */
export async function waitForJob(daemon: MeasuredDaemon, route: string, pollTime = 20): Promise<void> {
  for (;;) {
    const { jobs } = await daemon.call<{ jobs: { counts: Record<string, number> }[] }>('GET /jobs?limit=1')
    const { sent, failure } = jobs[0]?.counts ?? {}
    if (failure) throw new Error(`${route}: ${failure} agents failed`)
    if (sent === 0) return
    await wait(pollTime)
  }
}
