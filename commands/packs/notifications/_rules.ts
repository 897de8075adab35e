// Finds what rules say about events: one message for each rule, room and kind, or job.
import type { HookEvent, StoredDocument } from 'fleet-host'
import { type EventType, wordsOf } from './_events.ts'
import { digestJob, type JobFinished, problemsOf } from './_jobs.ts'
import { findMembers, type IsMember } from './_members.ts'
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
  const isMember = await findMembers(
    rules.map(({ value }) => value),
    context.services,
  )
  const facts: Facts = { places, isMember, window: context.settings.digest * 1000 }
  const matches = new Map<string, Match>()
  for (const event of named) {
    const ofType = rules.filter(({ value }) => value.events.includes(event.type) && namesAlert(value, event))
    if (event.type === 'job-finished') addJob(matches, event, await problemsOf(event.job, context), ofType, facts)
    else addEntries(matches, event, ofType, facts)
  }
  return [...matches.values()]
}

interface Facts {
  places: Places
  isMember: IsMember
  /** Milliseconds that become one message. */
  window: number
}

function addJob(
  matches: Map<string, Match>,
  event: JobFinished,
  problems: ReadonlyMap<string, string>,
  rules: readonly StoredDocument<Rule>[],
  { places, isMember }: Facts,
): void {
  const { job, time } = event
  for (const rule of rules) {
    const clients = event.clients.filter(client => isMember(rule.value, client))
    for (const { outcome, ...content } of digestJob(event, clients, problems, places)) {
      if (!isFor(rule.value, content.room)) continue
      if (rule.value.outcome !== 'any' && rule.value.outcome !== outcome) continue
      const message = { ...headOf(rule, 'job-finished'), ...content, job, time: Date.parse(time) }
      matches.set(JSON.stringify([rule.key, 'job', job, content.room]), { rule, message })
    }
  }
}

/** What follows within some seconds is one message with the first, also when it comes in another batch. */
function addEntries(
  matches: Map<string, Match>,
  event: Event,
  rules: readonly StoredDocument<Rule>[],
  { places, isMember, window }: Facts,
): void {
  const time = Date.parse(event.time)
  for (const [room, all] of entriesOf(event, places)) {
    for (const rule of rules) {
      const entries = all.filter(({ client }) => isMember(rule.value, client))
      if (!isFor(rule.value, room) || entries.length === 0) continue
      const key = JSON.stringify([rule.key, event.type, room])
      const open = [...matches].findLast(([each, { message }]) => each.startsWith(key) && time < (message.until ?? 0))
      const place = places.nameOf(room)
      const title = place === '' ? wordsOf(event.type) : `${wordsOf(event.type)}: ${place}`
      const match = open?.[1] ?? {
        rule,
        message: { ...headOf(rule, event.type), room, place, title, entries: [], count: 0, time, until: time + window },
      }
      match.message.entries.push(...entries)
      match.message.count += entries.length
      matches.set(open?.[0] ?? `${key} ${time}`, match)
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
