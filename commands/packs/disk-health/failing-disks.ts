// How many disks are failing, on the first page.
import type { View } from 'fleet-host'
import { readRows } from './_health-rows.ts'
import type pack from './pack.ts'

export default {
  summary: 'Disks that are failing',
  view: 'overview',
  title: 'Failing disks',
  scoped: true,
  async data({ rights, ...context }) {
    const rows = await readRows(context, rights, 'failing')
    const failing = rows.flatMap(({ disks }) => disks.filter(({ state }) => state === 'failing')).length
    return { value: failing, tone: failing > 0 ? 'bad' : 'good' }
  },
} satisfies View<typeof pack>
