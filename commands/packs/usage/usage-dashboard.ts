// Hands out the dashboard for Grafana, which shows metrics of this daemon and of this pack that Prometheus has read.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CommandOf } from 'fleet-host'
import type pack from './pack.ts'

export default {
  summary: 'Get the dashboard for Grafana',
  group: 'Usage',
  route: 'GET /usage/grafana',
  mediaType: 'application/json',
  scoped: true,
  answer: async ({ services }) =>
    services.text('application/json', await readFile(join(import.meta.dirname, 'grafana.json'), 'utf8')),
} satisfies CommandOf<{ pack: typeof pack }>
