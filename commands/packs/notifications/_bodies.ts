// What is sent to each kind of target but mail: requests with signed events, or with messages for people.
import { createHmac, randomBytes } from 'node:crypto'
import type { HttpMessage } from './_http.ts'
import type { Delivery, Target } from './_schemas.ts'

export interface Outgoing {
  /** The same for all attempts. */
  id: string
  delivery: Delivery
}

/** Entries that a message for people shows. */
const shownEntries = 20
/** ntfy takes 4,096 bytes. */
const ntfyCharacters = 1300

const json = { 'Content-Type': 'application/json' }

export const newSecret = () => `whsec_${randomBytes(24).toString('base64')}`

export const isSecret = (secret: string) => /^whsec_[A-Za-z0-9+/]{16,}={0,2}$/.test(secret)

/** By the specification of Standard Webhooks. */
export function sign(secret: string, id: string, seconds: number, body: string): string {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`
}

/** The entries as lines. */
export function linesOf({ entries, count }: Delivery): string[] {
  const lines = entries.slice(0, shownEntries).map(({ text }) => text)
  return count > lines.length ? [...lines, `and ${count - lines.length} more`] : lines
}

const textOf = (delivery: Delivery) => [delivery.title, ...linesOf(delivery)].join('\n')

export function requestFor(target: Target, outgoing: Outgoing, now: number): HttpMessage {
  const { address: url = '', secret = '' } = target
  const { delivery, id } = outgoing
  const bearer: Record<string, string> = secret === '' ? {} : { Authorization: `Bearer ${secret}` }
  const post = (content: object, headers: Record<string, string> = {}): HttpMessage => ({
    method: 'POST',
    url,
    headers: { ...json, ...headers },
    body: JSON.stringify(content),
  })
  if (target.kind === 'slack') return post({ text: slackText(textOf(delivery)) })
  if (target.kind === 'teams') return post(teamsCard(delivery))
  if (target.kind === 'ntfy') return { ...post(ntfyMessage(url, delivery), bearer), url: new URL('.', url).href }
  if (target.kind === 'matrix') {
    const room = encodeURIComponent(target.room ?? '')
    const path = `_matrix/client/v3/rooms/${room}/send/m.room.message/${encodeURIComponent(id)}`
    const content = { msgtype: 'm.text', body: textOf(delivery) }
    return { ...post(content, bearer), method: 'PUT', url: `${url}${url.endsWith('/') ? '' : '/'}${path}` }
  }
  return signedRequest(post(eventOf(delivery)), secret, id, now)
}

function signedRequest(message: HttpMessage, secret: string, id: string, now: number): HttpMessage {
  const seconds = Math.floor(now / 1000)
  const headers = {
    ...message.headers,
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': sign(secret, id, seconds, message.body),
  }
  return { ...message, headers }
}

function eventOf({ type, time, rule, room, place, title, job, count, entries }: Delivery): object {
  const where = room === 0 ? {} : { room: { id: room, name: place } }
  const what = job === undefined ? {} : { job }
  return { type, timestamp: new Date(time).toISOString(), data: { rule, ...where, ...what, title, count, entries } }
}

const slackText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

function teamsCard(delivery: Delivery): object {
  const block = (text: string, more: object = {}) => ({ type: 'TextBlock', text, wrap: true, ...more })
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      block(delivery.title, { weight: 'Bolder' }),
      ...linesOf(delivery).map(line => block(line, { spacing: 'None' })),
    ],
  }
  return { type: 'message', attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content }] }
}

/** The last part of the address is the topic. */
function ntfyMessage(url: string, delivery: Delivery): object {
  const topic = decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '')
  return { topic, title: delivery.title, message: linesOf(delivery).join('\n').slice(0, ntfyCharacters) }
}
