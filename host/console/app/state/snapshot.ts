// Reads the lists of the daemon and keeps the computers that are shown up to date with its events.
import { batch, signal } from '@preact/signals'
import type {
  ClientAnswer,
  ClientsAnswer,
  PlacesAnswer,
  ScopeNode,
  ScopesAnswer,
  SessionAnswer,
  SessionsAnswer,
} from '../../../contract/answers.ts'
import type { StreamEvent } from '../../../contract/fleet-events.ts'
import { labLists } from '../api/lab-lists.ts'
import { get } from '../api/request.ts'
import { t } from '../language/translate.ts'
import { failuresOf } from './failures.ts'
import {
  type CenterView,
  type ComputerView,
  centers,
  computers,
  conditionOf,
  isLoaded,
  type Live,
  loadProblem,
  noCounts,
  offline,
  pendingClients,
  seatsByAddress,
} from './lab.ts'
import { change, countConditions } from './pending-changes.ts'
import { keepOverReload } from './reload.ts'
import { sortedByName } from './room-layout.ts'
import { sayDeselected, selectedComputers } from './selection.ts'

/** Addresses, until the computers are there. */
const wasSelected: Set<string> = new Set(
  keepOverReload('selected', () => [...selectedComputers().map(({ ip }) => ip), ...wasSelected]),
)

/** Events that came while the lists were read; undefined while none are. */
let waiting: StreamEvent[] | undefined
let isStale = false

/** To be called when the stream is open: what changes from then on comes as events. */
export async function loadLab(): Promise<void> {
  if (waiting) {
    isStale = true
    return
  }
  waiting = []
  do {
    isStale = false
    await readLists()
  } while (isStale)
  const events = waiting
  waiting = undefined
  for (const event of events) applyEvent(event)
}

const [scopesPath, clientsPath, placesPath, sessionsPath] = labLists

async function readLists(): Promise<void> {
  const [scopes, clients, seats, sessions] = await Promise.all([
    get<ScopesAnswer>(scopesPath),
    get<ClientsAnswer>(clientsPath),
    get<PlacesAnswer>(placesPath),
    get<SessionsAnswer>(sessionsPath),
  ])
  const failed = [scopes, clients, seats, sessions].find(reply => !reply.ok)
  loadProblem.value = failed ? failed.reason || t('notice.unreachable') : ''
  // The stream may be open again already, so nothing else would ask.
  if (failed?.status === 0) reloadLater(retryTime)
  if (!scopes.value || !clients.value) return
  const lives = livesOf(clients.value.clients, sessions.value?.sessions ?? [])
  show(scopes.value.scope, lives)
  seatsByAddress.value = new Map(seats.value?.places.map(({ client, row, column }) => [client, { row, column }]))
  isLoaded.value = true
}

function livesOf(clients: ClientAnswer[], sessions: SessionAnswer[]): Map<string, typeof offline> {
  const users = new Map(sessions.map(({ client, user = '', locked = false }) => [client, { user, isLocked: locked }]))
  return new Map(
    clients.map(({ addr, state, status, speed = 0 }) => [
      addr,
      { ...offline, condition: conditionOf(state, status), speed, ...users.get(addr) },
    ]),
  )
}

/** Keeps the views of computers whose records are the same, with their selection. */
function show(tree: ScopeNode[], lives: Map<string, typeof offline>): void {
  const before = new Map(computers.peek())
  for (const pending of pendingClients.peek()) before.set(pending.ip, pending)
  const view = (ip: string, id: number, name: string, room: number): ComputerView => {
    const known = before.get(ip)
    const live = { ...(lives.get(ip) ?? offline), failures: failuresOf(ip) }
    if (known && known.id === id && known.name === name && known.room === room) {
      change(known, live)
      return known
    }
    return {
      ip,
      id,
      name,
      room,
      live: signal(live),
      selected: signal(known?.selected.peek() ?? wasSelected.delete(ip)),
    }
  }
  const nextCenters = tree.map(
    (center): CenterView => ({
      id: center.id,
      name: center.name,
      rooms: center.scope.map(room => ({
        id: room.id,
        name: room.name,
        center: center.id,
        centerName: center.name,
        counts: signal(noCounts),
        computers: sortedByName(room.scope.map(({ ip = '', id, name }) => view(ip, id, name, room.id))),
      })),
    }),
  )
  const recorded = new Set(tree.flatMap(center => center.scope.flatMap(room => room.scope.map(({ ip }) => ip))))
  const others = [...lives.keys()].filter(ip => !recorded.has(ip))
  batch(() => {
    centers.value = nextCenters
    pendingClients.value = sortedByName(others.map(ip => view(ip, 0, ip, 0)))
    countConditions()
  })
  wasSelected.clear()
  sayDeselected([...before.values()].filter(({ ip }) => !computers.peek().has(ip) && !lives.has(ip)))
}

/** Events of records, which change the lists themselves. */
const listEvents = new Set(['computer-added', 'computer-changed', 'computer-removed'])

const isTreeEvent = (event: StreamEvent) =>
  event.type === 'list-changed' && (event.list === 'centers' || event.list === 'rooms')

/** Milliseconds in which changes of records are gathered before the lists are read again. */
const gatherTime = 200
let reloading: ReturnType<typeof setTimeout> | undefined

/** Milliseconds until lists that did not arrive are asked for again. */
const retryTime = 1000

function reloadLater(wait: number): void {
  if (reloading !== undefined) return
  reloading = setTimeout(() => {
    reloading = undefined
    void loadLab()
  }, wait)
}

export function applyEvent(event: StreamEvent): void {
  if (waiting) {
    waiting.push(event)
    return
  }
  if (listEvents.has(event.type) || isTreeEvent(event)) {
    reloadLater(gatherTime)
    return
  }
  const part = partOf(event)
  if (!part) return
  for (const ip of event.clients) {
    const computer = computers.peek().get(ip) ?? pendingClients.peek().find(each => each.ip === ip)
    if (computer?.id === 0 && part === offline) removePending(ip)
    else if (computer) change(computer, part)
    else if (event.type === 'client-connected') addPending(ip)
  }
}

function addPending(ip: string): void {
  const live = signal<Live>({ ...offline, condition: 'ready', failures: failuresOf(ip) })
  pendingClients.value = [...pendingClients.peek(), { ip, id: 0, name: ip, room: 0, live, selected: signal(false) }]
}

function removePending(ip: string): void {
  pendingClients.value = pendingClients.peek().filter(pending => pending.ip !== ip)
}

/** What an event says of its clients; undefined for other events. */
function partOf(event: StreamEvent): Partial<Live> | undefined {
  switch (event.type) {
    case 'client-state':
      return { condition: conditionOf(event.state, event.status) }
    case 'client-connected':
      return { condition: 'ready' }
    case 'client-gone':
    case 'wake-timed-out':
      return offline
    case 'wake-sent':
      return { condition: 'waking' }
    case 'session-login':
      return { user: event.user ?? '', isLocked: false }
    case 'session-lock':
      return { isLocked: event.locked }
    case 'session-logout':
      return { user: undefined, isLocked: false }
    case 'job-progress':
      return { progress: event.percent }
    case 'job-part':
      return event.state === 'success' || event.state === 'failure' ? { progress: undefined } : undefined
    default:
      return undefined
  }
}
