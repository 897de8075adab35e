// Checks whether the daemon can work; 503 with the reasons when it cannot.
import type { CommandOf } from 'fleet-host'
import { flag, like, list, object, text } from './_schemas/objects.ts'

const returns = object({
  ready: like(flag, true),
  'reasons?': list(text, 'why it cannot work, with status 503'),
  'notes?': list(text, 'what an administrator should know, such as commands that differ between hosts'),
})

export default {
  summary: 'Check that the daemon can work: 503 with reasons when it cannot',
  group: 'Server',
  route: 'GET /readyz',
  returns,
  access: 'none',
  async answer({ services }) {
    const reasons = await services.health.problems()
    const notes = services.health.notes()
    const more = notes.length > 0 ? { notes } : {}
    if (reasons.length === 0) return { ready: true, ...more }
    return services.text('application/json', JSON.stringify({ ready: false, reasons, ...more }), 503)
  },
} satisfies CommandOf<{ returns: typeof returns }>
