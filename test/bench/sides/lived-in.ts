// A daemon that has been used for a while: agents that have told all of their inventory, and some images.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Agents } from './agents.ts'
import type { Child } from './child.ts'
import { type Measured, startMeasured } from './measured.ts'
import { seatOf } from './seats.ts'

const atOnce = 500
const images = 20
const pollTime = 20 // ms

/** The first `agents` computers are connected. */
export async function startLivedIn(computers: number, agents: Child<Agents>, connected: number): Promise<Measured> {
  const daemon = await startMeasured(computers)
  await agents.ask('connect', { port: daemon.ports.agents, count: connected, atOnce, round: 0 })
  await daemon.ready(connected)
  const clients = Array.from({ length: connected }, (_, index) => seatOf(index).ip)
  await forwarded(daemon, 'POST /hardware', { clients })
  await forwarded(daemon, 'POST /software', { clients, disk: '1', partition: '2' })
  await forwarded(daemon, 'POST /clients', { clients })
  for (const [index, client] of clients.slice(0, images).entries()) {
    const name = `image-${index}`
    const what = { disk: '1', partition: '2', code: '131', name, id: '0', repository: '127.0.0.1', description: name }
    await forwarded(daemon, 'POST /image/create', { clients: [client], ...what })
    writeFileSync(join(daemon.folder, 'data/images', `${name}.img`), name)
  }
  return daemon
}

/** Resolves when all answers are stored. */
export async function forwarded(daemon: Measured, route: string, payload: object): Promise<void> {
  await daemon.call(route, payload)
  for (;;) {
    const { jobs } = await daemon.call<{ jobs: { counts: Record<string, number> }[] }>('GET /jobs?limit=1')
    const { sent, failure } = jobs[0]?.counts ?? {}
    if (failure) throw new Error(`${route}: ${failure} agents failed`)
    if (sent === 0) return
    await wait(pollTime)
  }
}
