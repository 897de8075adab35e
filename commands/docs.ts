// Shows the API to people, in a browser.
import type { Command } from 'fleet-host'

export default {
  summary: 'Show the API in a browser',
  route: 'GET /docs',
  answers: 'text/html',
  answer: (_, { apiDocs: reference }) => ({ type: 'text/html; charset=utf-8', body: reference.page() }),
} satisfies Command
