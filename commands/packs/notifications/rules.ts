// The rules, and whether each has ever matched.
import type { View } from 'fleet-host'
import type { Rule } from './_schemas.ts'
import type pack from './pack.ts'

export default {
  summary: 'Which events become messages, and for whom',
  view: 'page',
  title: 'Message rules',
  access: 'operate',
  async data({ collections, services }) {
    const { rooms, groups } = services.store
    const roomsOf = wordsOf('room', await rooms.list())
    const groupsOf = wordsOf('group', await groups.list())
    const rows: Record<string, string | number | null>[] = []
    for await (const { key, value } of collections.rules.all()) {
      const { count = 0, last } = (await collections.matches.get(key))?.value ?? {}
      rows.push({
        rule: key,
        ...formValues(value),
        about: [...value.events, ...(value.alerts ?? [])].join(', '),
        where: roomsOf(value.rooms),
        members: groupsOf(value.groups),
        ofJobs: value.events.includes('job-finished') ? value.outcome : '',
        to: value.targets.join(', '),
        matches: count === 0 ? 'never' : String(count),
        last: last === undefined ? null : new Date(last).toISOString(),
      })
    }
    return {
      columns: [
        { key: 'rule', title: 'Rule' },
        { key: 'about', title: 'Events' },
        { key: 'where', title: 'Rooms' },
        { key: 'members', title: 'Groups' },
        { key: 'ofJobs', title: 'Jobs with' },
        { key: 'to', title: 'Targets' },
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

/** What the form begins with: lists have a value in each line. */
const formValues = ({ events, rooms, groups = [], targets, alerts = [], outcome, urgent }: Rule) => ({
  events: events.join('\n'),
  rooms: rooms.join('\n'),
  groups: groups.join('\n'),
  targets: targets.join('\n'),
  alerts: alerts.join('\n'),
  outcome,
  urgent: String(urgent),
})

const wordsOf = (kind: string, all: readonly { id: number; name: string }[]) => {
  const names = new Map(all.map(({ id, name }) => [id, name]))
  return (ids: readonly number[] = []) =>
    ids.length === 0 ? 'all' : ids.map(id => names.get(id) ?? `deleted ${kind} ${id}`).join(', ')
}
