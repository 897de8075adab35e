// An agent reports logins and logouts as fast as it can, while another caller reads the events of jobs.
import { message } from '../simulator/agent-http.ts'
import type { Attack } from './attack.ts'
import { flood } from './peers.ts'

const perWrite = 1_000
const session = (action: string) => message(103, { event: 'session', action, user: 'u' })
const block = (session('start') + session('stop')).repeat(perWrite / 2)

export default {
  name: 'event-flood',
  summary: 'an agent of a computer reports logins and logouts without a pause',
  seconds: 4,
  cheap: true,
  async run(target) {
    const socket = await target.agent(target.absent[0] ?? '')
    const bytes = await flood(socket, target, () => block)
    const sent = Math.floor((bytes - socket.writableLength) / block.length) * perWrite
    return { figures: `${sent} events` }
  },
} satisfies Attack
