// What the hosts of a fleet share in memory, in place of a database.
import type { ClusterEvent, HostKey, MemberHost, Notice, Notifications, PresenceRow } from '../../stores/store.ts'

type Handlers = Parameters<Notifications['listen']>[0]

export interface Member extends MemberHost {
  /** The process that has the name. */
  holder: object
}

export interface Row extends PresenceRow {
  version: number
}

export class MemoryDatabase {
  isAway = false
  epochs = 0
  versions = 0
  connections = 0
  heartbeats = 0
  eventId = 1_000_000
  members: Member[] = []
  rows = new Map<string, Row>()
  events: ClusterEvent[] = []
  since = new Map<number, number>()
  outputs = new Map<string, string>()
  readonly listeners = new Map<object, Handlers>()

  notify(notice: Notice): void {
    if (this.isAway) return
    for (const { onNotice } of this.listeners.values()) setImmediate(onNotice, notice)
  }

  isMember({ name, epoch }: HostKey): boolean {
    return this.members.some(member => member.name === name && member.epoch === epoch)
  }

  remove({ name, epoch }: HostKey): string[] {
    this.members = this.members.filter(member => member.name !== name || member.epoch !== epoch)
    const removed = [...this.rows.values()].filter(row => row.name === name && row.epoch === epoch)
    for (const { addr } of removed) this.rows.delete(`${name} ${addr}`)
    this.notify({ type: 'hosts' })
    const isHeld = (addr: string) => [...this.rows.values()].some(row => row.addr === addr && !row.gone)
    return removed.flatMap(({ addr, gone }) => (gone || isHeld(addr) ? [] : addr))
  }
}
