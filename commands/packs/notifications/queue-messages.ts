// Queues a message for each rule that events match.
import type { Hook, StoredDocument } from 'fleet-host'
import { eventTypes } from './_events.ts'
import { enqueue } from './_queue.ts'
import { findMatches } from './_rules.ts'
import type { Rule } from './_schemas.ts'
import { sender } from './_sender.ts'
import type pack from './pack.ts'

export default {
  summary: 'Queue messages about events',
  on: eventTypes,
  async run(context) {
    const { collections, services } = context
    const rules: StoredDocument<Rule>[] = []
    for await (const rule of collections.rules.all()) rules.push(rule)
    const events = context.events.flatMap(event => (event.type === 'events-missing' ? [] : [event]))
    for (const event of context.events)
      if (event.type === 'events-missing' && rules.length > 0)
        services.log.warn(`events between ${event.since} and ${event.until} are not known`)
    const matches = await findMatches(events, rules, context)
    for (const { rule, message } of matches) await enqueue(context, message, rule.value.targets)
    for (const name of new Set(matches.map(({ rule }) => rule.key))) {
      const count = matches.filter(({ rule }) => rule.key === name).length
      const before = (await collections.matches.get(name))?.value.count ?? 0
      await collections.matches.put(name, { count: before + count, last: services.now() })
    }
    if (matches.length > 0) services.hooks.run(sender)
  },
} satisfies Hook<typeof pack, (typeof eventTypes)[number]>
