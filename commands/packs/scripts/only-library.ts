// Refuses scripts that are not of the library, while the setting says so.
import type { Hook } from 'fleet-host'
import type pack from './pack.ts'

export default {
  summary: 'Refuse scripts that are not of the library',
  before: ['shell-run'],
  check({ rights, settings, services }) {
    if (!settings.only || rights.role === 'admin') return undefined
    return services.refuse('expected a script of the library: fleet script list shows them', 403)
  },
} satisfies Hook<typeof pack>
