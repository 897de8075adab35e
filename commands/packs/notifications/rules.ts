// The rules, and whether each has ever matched.
import type { View } from 'fleet-host'
import type pack from './pack.ts'

export default {
  summary: 'Which events become messages, and for whom',
  view: 'page',
  title: 'Message rules',
  access: 'operate',
  async data({ collections, services }) {
    const names = new Map((await services.store.rooms.list()).map(({ id, name }) => [id, name]))
    const rows: Record<string, string | number | null>[] = []
    for await (const { key, value } of collections.rules.all()) {
      const { count = 0, last } = (await collections.matches.get(key))?.value ?? {}
      const rooms = value.rooms.map(room => names.get(room) ?? `deleted room ${room}`)
      rows.push({
        rule: key,
        events: [...value.events, ...(value.alerts ?? [])].join(', '),
        rooms: rooms.length === 0 ? 'all' : rooms.join(', '),
        outcome: value.events.includes('job-finished') ? value.outcome : '',
        targets: value.targets.join(', '),
        matches: count === 0 ? 'never' : String(count),
        last: last === undefined ? null : new Date(last).toISOString(),
      })
    }
    return {
      columns: [
        { key: 'rule', title: 'Rule' },
        { key: 'events', title: 'Events' },
        { key: 'rooms', title: 'Rooms' },
        { key: 'outcome', title: 'Jobs with' },
        { key: 'targets', title: 'Targets' },
        { key: 'matches', title: 'Has matched' },
        { key: 'last', title: 'Last match', type: 'time' },
      ],
      rows: rows.slice(0, 1000),
      actions: [
        { title: 'Add a rule', command: 'notification-rule-add', payload: {}, form: 'page' },
        { title: 'Change', command: 'notification-rule-update', payload: {}, rowKeys: ['rule'], form: 'row' },
        { title: 'Send a test', command: 'notification-rule-test', payload: {}, rowKeys: ['rule'] },
        { title: 'Delete', command: 'notification-rule-delete', payload: {}, rowKeys: ['rule'] },
      ],
    }
  },
} satisfies View<typeof pack>
