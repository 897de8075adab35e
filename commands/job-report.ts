// Reports what became of each computer of a job: who has the image, who not, and why.
import type { Command } from 'fleet-host'
import { entry, partStates, waiting } from './_schemas/jobs.ts'
import { address, described, flag, integer, like, list, object, text, time } from './_schemas/objects.ts'

const counts = {
  total: described(integer, 'computers', 24),
  has: described(integer, 'have the image; of a job that restores none: have succeeded', 22),
  unconfirmed: described(integer, 'of these, by success that the log of the copy could not confirm', 1),
  open: described(integer, 'run or wait', 0),
  missing: described(integer, 'do not have it', 2),
}

const room = object({ room: like(text, 'Room 1'), center: like(text, 'Main'), ...counts })

const computer = object({
  client: address,
  name: described(text, 'empty for a computer without a record', 'pc-20'),
  room: like(text, 'Room 1'),
  center: like(text, 'Main'),
  state: { enum: partStates, description: 'of the first step that did not succeed', examples: ['failure'] },
  'has_image?': described(flag, 'absent for a job that restores none', false),
  'unconfirmed?': { enum: [true], description: 'the log of the copy could not confirm the success' },
  'reason?': like(text, 'No space left on device'),
  'waiting?': waiting,
  'command?': described(text, 'of the step that `state` is about; absent after success', 'image-restore'),
  'started?': time,
  'ended?': described(
    time,
    'of the step that `state` is about, after success of the copy; absent while it runs or waits',
  ),
})

const reportResult = object({
  id: like(integer, 7),
  name: like(text, 'win11 2026-11-23 22:00'),
  'retry_of?': entry['retry_of?'],
  created: time,
  'ended?': described(time, 'absent while something runs or waits'),
  ...counts,
  rooms: list(room, 'with the same counts'),
  computers: list(computer, 'by center, room and name; at most 500'),
  'next?': described(integer, 'for `after` of the next page; absent on the last one'),
})

const digits = { type: 'string', pattern: '^\\d{1,15}$', expected: 'digits' } as const
const query = object({
  id: { ...digits, description: 'Id of the job', examples: ['1'] },
  'only?': { enum: ['missing'], description: 'Only computers that do not have it, or not confirmed' },
  'after?': { ...digits, description: '`next` of the page before' },
})

export default {
  summary: 'Report who has the image of a job, who not, and why: ?id=',
  group: 'Jobs and events',
  route: 'GET /job/report',
  heavy: true,
  returns: reportResult,
  scoped: true,
  query,
  answer: ({ services, request: { query, rights } }) =>
    services.jobs.report(
      {
        id: query.id,
        restoredBy: 'image-restore',
        onlyMissing: query.only === 'missing',
        after: Number(query.after ?? 0),
      },
      rights,
    ),
} satisfies Command<undefined, undefined, typeof query>
