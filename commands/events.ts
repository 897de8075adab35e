// Tells what happens as it happens, as server-sent events.
import type { Command } from 'fleet-host'

export default {
  summary: 'Follow what happens, as server-sent events',
  route: 'GET /events',
  queryToken: true,
  query: {
    type: { description: 'Only events of these types, or whose type begins so: job, or job-created', example: 'job' },
    client: { description: 'Only events that concern these addresses', example: '10.1.1.20' },
    room: { description: 'Only events that concern these rooms, by id', example: '1' },
    last_event_id: { description: 'As the header Last-Event-ID: first what has happened since that event' },
    token: { description: 'The token, for callers that cannot set a header' },
  },
  answers: 'text/event-stream',
  answer(_, { events }, { query, header, signal, disconnect: cutOff }) {
    const listed = (name: string) => query.getAll(name).flatMap(value => value.split(',').filter(Boolean))
    const after = header('Last-Event-ID') || (query.get('last_event_id') ?? '')
    const filter = { types: listed('type'), clients: listed('client'), rooms: listed('room'), after }
    const body = events.read(filter, { signal, disconnect: cutOff })
    return 'refused' in body ? body : { type: 'text/event-stream', body }
  },
} satisfies Command
