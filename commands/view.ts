// Asks a view of a module: a card of a computer, marks, a figure, a page or a chart.
import type { CommandOf } from 'fleet-host'
import { viewQuestion as payload, viewAnswer } from './_schemas/views.ts'

export default {
  summary: 'Ask a view: /view/<name>',
  group: 'Modules',
  route: 'GET /view',
  http: { rest: true },
  heavy: true,
  returns: viewAnswer,
  scoped: true,
  payload,
  body: 'optional',
  answer: ({ payload, services, request: { rest, rights } }) => services.views.ask(rest.join('/'), payload, rights),
} satisfies CommandOf<{ payload: typeof payload; returns: typeof viewAnswer }>
