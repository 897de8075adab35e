// Who has which computer, and until when.
import type { View } from 'fleet-host'
import { allReservations } from './_reservations.ts'
import type pack from './pack.ts'

const mostRows = 1000

export default {
  summary: 'Which computers are lent, to whom and until when',
  view: 'page',
  title: 'Remote sessions',
  access: 'read',
  scoped: true,
  async data({ collections, services, rights }) {
    const held = (await allReservations(collections)).filter(
      ({ key, value }) => value.state !== 'ended' && (!rights.isLimited || rights.hasClient(key)),
    )
    const computers = await services.store.computers.findMany(held.map(({ key }) => key))
    const names = new Map(computers.map(({ ip, name }) => [ip, name]))
    const images = new Map((await services.store.images.list()).map(({ id, name }) => [id, name]))
    const iso = (time: number) => new Date(time).toISOString()
    return {
      columns: [
        { key: 'name', title: 'Computer' },
        { key: 'broker', title: 'Broker' },
        { key: 'image', title: 'Image' },
        { key: 'state', title: 'State' },
        { key: 'user', title: 'User' },
        { key: 'since', title: 'Since', type: 'time' },
        { key: 'until', title: 'Until', type: 'time' },
      ],
      rows: held.slice(0, mostRows).map(({ key, value }) => ({
        clients: key,
        name: names.get(key) ?? key,
        broker: value.broker,
        image: images.get(value.image) ?? `deleted image ${value.image}`,
        state: value.state === 'waking' ? 'is being woken' : value.user === undefined ? 'reserved' : 'in use',
        user: value.user ?? '',
        since: iso(value.since),
        until: iso(value.deadline ? Math.min(value.deadline, value.until) : value.until),
      })),
      actions: [
        { title: 'Release', command: 'remote-release', payload: { poweroff: false }, rowKeys: ['clients'] },
        {
          title: 'Release and power off',
          command: 'remote-release',
          payload: { poweroff: true },
          rowKeys: ['clients'],
        },
      ],
    }
  },
} satisfies View<typeof pack>
