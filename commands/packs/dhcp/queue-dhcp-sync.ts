// Has changes of records synced soon.
import type { Hook } from 'fleet-host'
import { changeMilliseconds, syncer } from './_sync.ts'
import type pack from './pack.ts'

export default {
  summary: 'Have changes of records written to DHCP servers',
  on: ['computer-added', 'computer-changed', 'computer-removed'],
  run({ settings, services }) {
    if (settings.automatic) services.hooks.run(syncer, services.now() + changeMilliseconds)
  },
} satisfies Hook<typeof pack, 'computer-added' | 'computer-changed' | 'computer-removed'>
