// Reads the tree of centers, rooms and computers.
import type { Command } from 'fleet-host'

export default {
  summary: 'Read centers, rooms and computers',
  route: 'GET /scopes',
  body: 'none',
  async answer({ services }) {
    return { scope: await services.store.scopes() }
  },
} satisfies Command
