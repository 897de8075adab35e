// Replaces the program of the agent for Linux and Windows on the listed clients by the one that this server has.
import type { Command } from 'fleet-host'
import { clientsOnly as payload } from './_schemas/objects.ts'

const reply = { type: 'object', properties: { reason: { type: 'string' } } } as const

const noUpdate = 'this agent cannot be updated from here'

export default {
  summary: 'Update the agent for Linux and Windows',
  group: 'Clients',
  route: 'POST /agent/update',
  access: 'admin',
  payload,
  async accept({ payload, services }) {
    const { rest, sha256, bytes, version } = await services.agentProgram.file()
    // The agent knows the address of the server, and checks the digest.
    const program = { path: '/agent/fleet-agent.js', ...rest, sha256, size: bytes.length, version }
    return { ...payload, ...program }
  },
  forward: {
    to: 'POST /agent/update',
    // Seconds: the agent allows the download a minute.
    deadline: 120,
    statusReasons: { 400: noUpdate, 404: noUpdate },
    reply,
  },
} satisfies Command<typeof payload, typeof reply>
