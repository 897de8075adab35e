// Checks all computers that are on, each night.
import type { Hook } from 'fleet-host'
import type pack from './pack.ts'

export default {
  summary: 'Check computers at night',
  cron: '0 2 * * *',
  async run({ services }) {
    const clients = services.fleet.clients().map(({ addr }) => addr)
    const job = await services.jobs.run({ command: 'check-run', payload: { number: '7' }, clients })
    if (services.isRefusal(job)) services.log.warn(job.refused)
  },
} satisfies Hook<typeof pack>
