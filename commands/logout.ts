// Ends the session of a user who has logged in.
import type { Command } from 'fleet-host'

export default {
  summary: 'Log out',
  group: 'Access',
  route: 'POST /logout',
  access: 'none',
  answer({ services, request }) {
    const headers = { 'Set-Cookie': services.access.logout(request) }
    return services.text('text/plain', '', 200, headers)
  },
} satisfies Command
