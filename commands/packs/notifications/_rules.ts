// Finds what rules say about events: one message for each rule, room and kind, or job.
import type { HookEvent, StoredDocument } from 'fleet-host'
import { type EventType, wordsOf } from './_events.ts'
import { digestJob, type RoomDigest } from './_jobs.ts'
import { findPlaces, type Places } from './_places.ts'
import type { Context, Entry, Message, Rule } from './_schemas.ts'

type Event = Exclude<HookEvent<EventType>, { type: 'events-missing' }>

export interface Match {
  rule: StoredDocument<Rule>
  message: Message
}

/** The messages of a batch of events. */
export async function findMatches(
  events: readonly Event[],
  rules: readonly StoredDocument<Rule>[],
  context: Context,
): Promise<Match[]> {
  const named = events.filter(({ type }) => rules.some(({ value }) => value.events.includes(type)))
  if (named.length === 0) return []
  const places = await findPlaces(
    named.flatMap(({ clients }) => clients),
    context.services,
  )
  const matches = new Map<string, Match>()
  for (const event of named) {
    const ofType = rules.filter(({ value }) => value.events.includes(event.type) && namesAlert(value, event))
    if (event.type === 'job-finished') {
      const digests = await digestJob(event, places, context)
      for (const digest of digests) addJob(matches, event, digest, ofType)
    } else addEntries(matches, event, ofType, places, context.settings.digest * 1000)
  }
  return [...matches.values()]
}

function addJob(
  matches: Map<string, Match>,
  { job, time }: { job: number; time: string },
  digest: RoomDigest,
  rules: readonly StoredDocument<Rule>[],
): void {
  const { outcome, ...content } = digest
  for (const rule of rules) {
    if (!isFor(rule.value, digest.room)) continue
    if (rule.value.outcome !== 'any' && rule.value.outcome !== outcome) continue
    const message = { ...headOf(rule, 'job-finished'), ...content, job, time: Date.parse(time) }
    matches.set(JSON.stringify([rule.key, 'job', job, digest.room]), { rule, message })
  }
}

/** Events of some seconds are one message, also when they come in several batches. */
function addEntries(
  matches: Map<string, Match>,
  event: Event,
  rules: readonly StoredDocument<Rule>[],
  places: Places,
  window: number,
): void {
  const time = Math.floor(Date.parse(event.time) / window) * window
  for (const [room, entries] of entriesOf(event, places)) {
    for (const rule of rules) {
      if (!isFor(rule.value, room)) continue
      const key = JSON.stringify([rule.key, event.type, room, time])
      const place = places.nameOf(room)
      const title = place === '' ? wordsOf(event.type) : `${wordsOf(event.type)}: ${place}`
      const match = matches.get(key) ?? {
        rule,
        message: { ...headOf(rule, event.type), room, place, title, entries: [], count: 0, time, until: time + window },
      }
      match.message.entries.push(...entries)
      match.message.count += entries.length
      matches.set(key, match)
    }
  }
}

const headOf = ({ key, value }: StoredDocument<Rule>, type: string) => ({ rule: key, type, urgent: value.urgent })

/** Whether the rule is for this alert, if the event is one. */
const namesAlert = ({ alerts = [] }: Rule, event: Event) =>
  event.type !== 'pack-alert' || alerts.length === 0 || alerts.includes(event.alert)

const isFor = ({ rooms }: Rule, room: number) => rooms.length === 0 || rooms.includes(room)

/** By room; 0 for what is in none. */
function entriesOf(event: Event, places: Places): Map<number, Entry[]> {
  const { type: _, time, clients, ...rest } = event
  const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0
  const all = Object.entries(rest)
    .filter(([, value]) => !isEmpty(value))
    .map(([key, value]) => `${key} ${typeof value === 'object' ? JSON.stringify(value) : value}`)
  const details = event.type === 'pack-alert' ? [event.text] : all
  const text = (name: string) =>
    [name, ...details]
      .filter(part => part !== '')
      .join(', ')
      .slice(0, 500)
  if (clients.length === 0) return new Map([[0, [{ time, text: text('') }]]])
  const byRoom = new Map<number, Entry[]>()
  for (const client of clients) {
    const { room, name } = places.of(client)
    byRoom.set(room, [...(byRoom.get(room) ?? []), { time, client, text: text(name) }])
  }
  return byRoom
}
