// The messages that wait, and those that were sent or given up, the newest first.
import type { View } from 'fleet-host'
import type { Delivery } from './_schemas.ts'
import type pack from './pack.ts'

/** Rows of those that wait; the log has the others. */
const mostWaiting = 500
const mostRows = 1000

export default {
  summary: 'Messages that wait, were sent, or could not be sent',
  view: 'page',
  title: 'Messages',
  access: 'operate',
  async data({ collections }) {
    const waiting: ReturnType<typeof rowOf>[] = []
    for await (const { key, value } of collections.queue.all()) {
      waiting.push(rowOf(key, value))
      if (waiting.length >= mostWaiting) break
    }
    const logged: typeof waiting = []
    for await (const { key, value } of collections.log.all()) logged.push(rowOf(key, value))
    return {
      columns: [
        { key: 'title', title: 'Message' },
        { key: 'time', title: 'Time', type: 'time' },
        { key: 'rule', title: 'Rule' },
        { key: 'target', title: 'Target' },
        { key: 'state', title: 'State' },
        { key: 'attempts', title: 'Attempts', type: 'number' },
        { key: 'next', title: 'Next attempt', type: 'time' },
        { key: 'error', title: 'Problem' },
      ],
      rows: [...waiting.reverse(), ...logged.reverse()].slice(0, mostRows),
      actions: [{ title: 'Send again', command: 'notification-send-again', payload: {}, rowKeys: ['delivery'] }],
    }
  },
} satisfies View<typeof pack>

const iso = (time: number) => new Date(time).toISOString()

function rowOf(delivery: string, { title, time, rule, target, state, attempts, due, error = '' }: Delivery) {
  const next = state === undefined ? iso(due) : null
  return { delivery, title, time: iso(time), rule, target, state: state ?? 'waits', attempts, next, error }
}
