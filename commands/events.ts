// Streams events to a caller as they happen, as server-sent events.
import type { CommandOf } from 'fleet-host'
import { object } from './_schemas/objects.ts'

const query = object({
  'type?': {
    type: 'string',
    description: 'Only events of these types, or whose type begins with one of them: job, or job-created',
    examples: ['job'],
  },
  'client?': { type: 'string', description: 'Only events about these addresses', examples: ['10.1.1.20'] },
  'room?': { type: 'string', description: 'Only events about these rooms, by id', examples: ['1'] },
  'coalesce?': {
    type: 'string',
    description:
      'Milliseconds, 10 to 60000: in this time only the newest client-state of a client, other events at once',
    examples: ['250'],
  },
  'last_event_id?': { type: 'string', description: 'As the header Last-Event-ID: begins after the event with this id' },
  'token?': { type: 'string', description: 'The token, for callers that cannot set a header' },
})

const split = (list = '') => list.split(',').filter(Boolean)

const returns = {
  type: 'string',
  examples: [
    'id: 42\nevent: client-state\ndata: {"id":42,"time":"2026-09-14T08:00:00.000Z","type":"client-state","clients":["10.1.1.20"],"rooms":[1],"state":"BSY","status":"oglive"}\n\n',
  ],
} as const

export default {
  summary: 'Stream events as they happen (server-sent events)',
  group: 'Jobs and events',
  route: 'GET /events',
  returns,
  scoped: true,
  mediaType: 'text/event-stream',
  http: { queryToken: true },
  query,
  answer({ services, request }) {
    const { type, client, room, coalesce = '', last_event_id: lastEventId = '' } = request.query
    const after = request.header('Last-Event-ID') || lastEventId
    const filter = { types: split(type), clients: split(client), rooms: split(room), after, coalesce }
    const events = services.events.read(filter, request)
    return services.isRefusal(events) ? events : services.text('text/event-stream', events)
  },
} satisfies CommandOf<{ query: typeof query; returns: typeof returns }>
