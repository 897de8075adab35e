// Where messages go.
import type { View } from 'fleet-host'
import type pack from './pack.ts'

export default {
  summary: 'Where messages go',
  view: 'page',
  title: 'Message targets',
  access: 'operate',
  async data({ collections }) {
    const rows: Record<string, string>[] = []
    for await (const { key, value } of collections.targets.all()) {
      const { kind, host = '', to = [], room = '', disabled } = value
      const address = kind === 'mail' ? to.join(', ') : host
      rows.push({ target: key, kind, host: address, to: to.join('\n'), room, state: disabled ?? 'enabled' })
    }
    return {
      columns: [
        { key: 'target', title: 'Target' },
        { key: 'kind', title: 'Kind' },
        { key: 'host', title: 'To' },
        { key: 'state', title: 'State' },
      ],
      rows: rows.slice(0, 1000),
      actions: [
        { title: 'Add a target', command: 'notification-target-add', payload: {}, form: 'page' },
        { title: 'Change', command: 'notification-target-update', payload: {}, rowKeys: ['target'], form: 'row' },
        { title: 'Send a test', command: 'notification-target-test', payload: {}, rowKeys: ['target'] },
        { title: 'Enable', command: 'notification-target-update', payload: {}, rowKeys: ['target'] },
        { title: 'Delete', command: 'notification-target-delete', payload: {}, rowKeys: ['target'] },
      ],
    }
  },
} satisfies View<typeof pack>
