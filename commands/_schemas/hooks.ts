// The schemas of hooks in answers and payloads.
import { described, integer, like, list, number, object, text, time } from './objects.ts'

export const hookName = described(text, 'its name in `GET /hooks`', 'notify')

export const hook = object({
  name: like(text, 'notify'),
  summary: like(text, 'Queue notifications of finished jobs'),
  file: like(text, '/opt/site/notify.ts'),
  pack: like(text, 'notify'),
  kind: { ...described(text, 'what it runs after, or before', 'on'), enum: ['on', 'every', 'cron', 'before'] },
  'on?': list(like(text, 'job-finished'), 'types of events'),
  'every?': like(text, '15 minutes'),
  'cron?': like(text, '0 20 * * 1-5'),
  'before?': list(like(text, 'image-restore'), 'names of commands'),
  'each?': { ...described(text, 'it runs on each host, not on one of them', 'host'), enum: ['host'] },
  state: {
    ...described(text, 'failing: it waits to repeat a run; elsewhere: another host runs it', 'waiting'),
    enum: ['running', 'waiting', 'paused', 'failing', 'elsewhere'],
  },
  'paused_since?': time,
  'paused_by?': described(text, 'who has paused it, or failures', 'admin'),
  waiting: described(integer, 'events that wait for it', 0),
  runs: described(integer, 'since the start of this host', 12),
  failures: described(integer, 'of the runs', 0),
  'last_run?': described(time, 'by this host'),
  'last_error?': described(text, 'of the last run, if that has failed', 'no connection'),
  'next_run?': described(time, 'of one that another host runs, known for cron only'),
  'mean_ms?': described(number, 'busy time of the event loop in a run of the last hour', 0.4),
  'longest_ms?': described(number, 'the longest of these', 3.1),
})

export const hookChange = { type: 'object', required: ['hook'], properties: { hook: hookName } } as const
