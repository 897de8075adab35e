// An agent without a record reports logins of users whose names are 130 kB long.
import { message } from '../simulator/agent-http.ts'
import { type Attack, strangerAt } from './attack.ts'
import { flood, megabytes } from './peers.ts'

export default {
  name: 'login-events',
  summary: 'an agent without a record reports logins with names of 130 kB',
  seconds: 8,
  async run(target) {
    const socket = await target.agent(strangerAt(1))
    let count = 0
    const bytes = await flood(socket, target, () => {
      count += 1
      const user = `${count}${'x'.repeat(130_000)}`
      return message(103, { event: 'session', action: count % 2 === 0 ? 'stop' : 'start', user })
    })
    return { figures: `${count} events, ${megabytes(bytes)}` }
  },
} satisfies Attack
