// Gives all computers as CSV, which client/import reads back.
import type { Command } from 'fleet-host'

export default {
  summary: 'Export computers as CSV',
  route: 'GET /client/export',
  answers: 'text/csv',
  async answer(_, { computers }) {
    return { type: 'text/csv; charset=utf-8', body: await computers.export() }
  },
} satisfies Command
