// The rooms of events: those of their clients at the time of the event.
import { suite } from 'uvu'
import { equal } from 'uvu/assert'
import { EventLog } from '../../host/event-stream/event-log.ts'
import { RoomMap } from '../../host/event-stream/room-map.ts'
import type { FleetEvent } from '../../host/system/events.ts'

const stored = [
  { ip: '10.0.0.1', room: 1 },
  { ip: '10.0.0.2', room: 2 },
  { ip: '10.0.0.3', room: 2 },
]

/** What readers get of these events: clients and rooms of each. */
function scopesOf(...events: FleetEvent[]): [string[], number[]][] {
  const log = new EventLog({ rooms: new RoomMap(stored), size: 100, limits: { events_bytes: 1_000_000 } })
  const start = log.newest
  for (const event of events) log.add(event)
  const { text } = log.chunk(start, log.newest, () => true)
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, json = '']) => {
    const { clients, rooms, ...others } = JSON.parse(json)
    equal(
      ['addr', 'addrs', 'computers', 'ip', 'room'].filter(key => key in others),
      [],
    )
    return [clients, rooms]
  })
}

const connected = (addr: string): FleetEvent => ({ type: 'client-connected', addr })

const test = suite('event rooms')

test('computers that are in the store at the start have their rooms', () => {
  equal(scopesOf(connected('10.0.0.2'), connected('10.9.9.9')), [
    [['10.0.0.2'], [2]],
    [['10.9.9.9'], []],
  ])
})

test('an event of several clients has the rooms of all of them, each once', () => {
  const addrs = ['10.0.0.3', '10.9.9.9', '10.0.0.2', '10.0.0.1']
  equal(scopesOf({ type: 'job-created', job: 1, name: 'x', origin: 'request', by: 'admin', addrs }), [[addrs, [2, 1]]])
})

test('an added computer has its room at once', () => {
  const computers = [
    { ip: '10.0.0.4', room: 3 },
    { ip: '10.0.0.5', room: 4 },
  ]
  equal(scopesOf({ type: 'computer-added', computers }, connected('10.0.0.5')), [
    [
      ['10.0.0.4', '10.0.0.5'],
      [3, 4],
    ],
    [['10.0.0.5'], [4]],
  ])
})

test('a moved computer concerns its old and its new room, later events only the new one', () => {
  const addrs = ['10.0.0.1']
  equal(scopesOf(connected('10.0.0.1'), { type: 'computer-changed', addrs, room: 5 }, connected('10.0.0.1')), [
    [addrs, [1]],
    [addrs, [1, 5]],
    [addrs, [5]],
  ])
})

test('a change of other keys concerns the room of the computer', () => {
  equal(scopesOf({ type: 'computer-changed', addrs: ['10.0.0.1', '10.0.0.2'] }), [
    [
      ['10.0.0.1', '10.0.0.2'],
      [1, 2],
    ],
  ])
})

test('a computer with a new address takes its room along, an unknown one gets none', () => {
  const change: FleetEvent = { type: 'computer-changed', addrs: ['10.0.0.1'], ip: '10.0.0.9' }
  const unknown: FleetEvent = { type: 'computer-changed', addrs: ['10.9.9.9'], room: 1 }
  equal(scopesOf(change, unknown, connected('10.0.0.9'), connected('10.0.0.1'), connected('10.9.9.9')), [
    [['10.0.0.1'], [1]],
    [['10.9.9.9'], []],
    [['10.0.0.9'], [1]],
    [['10.0.0.1'], []],
    [['10.9.9.9'], []],
  ])
})

test('a removed computer concerns the room that it was in, later events have none', () => {
  const removed: FleetEvent = { type: 'computer-removed', computers: stored.slice(0, 2) }
  equal(scopesOf(removed, connected('10.0.0.1')), [
    [
      ['10.0.0.1', '10.0.0.2'],
      [1, 2],
    ],
    [['10.0.0.1'], []],
  ])
})

test('an event keeps the rooms of its time, also when it is read after they have changed', () => {
  const gone: FleetEvent = { type: 'job-finished', job: 1, name: 'x', by: 'admin', addrs: ['10.0.0.1', '10.0.0.2'] }
  const moved: FleetEvent = { type: 'computer-changed', addrs: ['10.0.0.1'], room: 5 }
  const removed: FleetEvent = { type: 'computer-removed', computers: [{ ip: '10.0.0.2', room: 2 }] }
  equal(scopesOf(connected('10.0.0.1'), moved, connected('10.0.0.1'), gone, removed, connected('10.0.0.2')), [
    [['10.0.0.1'], [1]],
    [['10.0.0.1'], [1, 5]],
    [['10.0.0.1'], [5]],
    [
      ['10.0.0.1', '10.0.0.2'],
      [5, 2],
    ],
    [['10.0.0.2'], [2]],
    [['10.0.0.2'], []],
  ])
})

test.run()
