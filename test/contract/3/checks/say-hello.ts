// Shows on each host that it lives, and has the other hook run.
import type { Hook } from 'fleet-host'
import type pack from './pack.ts'

export default {
  summary: 'Say that the host lives',
  every: '1 hour',
  each: 'host',
  run({ services }) {
    services.log.info('alive')
    services.hooks.run('checks/check-nightly', services.now() + 60_000)
  },
} satisfies Hook<typeof pack>
