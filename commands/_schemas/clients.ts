// The schemas of clients in answers.
import { address, described, integer, like, object, text, time } from './objects.ts'

export const client = object({
  addr: address,
  state: {
    enum: ['OFF', 'BSY', 'OPG', 'VDI', 'WOL_SENT', 'LNX', 'LNXS', 'WIN', 'WINS'],
    description:
      'OPG: the live system waits for commands; BSY: it executes one; VDI: a virtual desktop; OFF: Linux or Windows runs; WOL_SENT: it was woken and has not connected; the others in place of OFF with the option `rest.os_states`',
    examples: ['OPG'],
  },
  'speed?': described(integer, 'Mbit/s', 1000),
  last_cmd: object({
    result: {
      enum: ['unknown', 'success', 'failure'],
      description: 'of the last command that ended; unknown: none has since it connected',
      examples: ['success'],
    },
  }),
  'status?': {
    enum: ['oglive', 'busy', 'virtual', 'linux', 'linux-session', 'windows', 'windows-session'],
    description: 'the same in words, also without that option',
    examples: ['oglive'],
  },
})

export const session = object({
  client: address,
  'user?': described(text, 'the name; absent when the agent has not said it', 'ana'),
  'locked?': { enum: [true], description: 'the screen is locked, or somebody else has taken it' },
})

export const pendingClient = object({
  client: address,
  'name?': described(text, 'the host name that its agent has said', 'pc-20'),
  'mac?': described(text, 'hardware address: 12 hex digits, of its agent or of the neighbour table', '001b210a0b0c'),
  'serial?': described(text, 'serial number', '5CG1234XYZ'),
  'os?': described(text, 'operating system', 'Debian GNU/Linux 13'),
  'agent?': described(text, 'program and version of its agent', 'fleet-agent 1.0'),
  since: described(time, 'ISO time of its connection'),
  'advice?': described(
    text,
    'what to do, where a record has its hardware address',
    'its hardware address 001b210a0b0c is that of pc-20 (10.1.1.20); if it is that computer: fleet computer edit 10.1.1.20 --ip 10.1.1.77',
  ),
})

/** A client whose connections were refused within a day, and that is not connected now. */
export const refusedClient = object({
  client: address,
  reason: described(text, 'why at last, and by which option', 'it has no computer record (agents.allow)'),
  count: described(integer, 'refused connections', 12),
  since: described(time, 'of the first one'),
  last: described(time, 'of the last one'),
})

/** A command that has failed there. */
export const failure = object({
  client: address,
  command: like(text, 'image-restore'),
  job: described(integer, 'whose part has failed', 7),
  reason: like(text, 'no space left on device'),
  'stopped?': described(text, 'who has stopped it, or empty; absent of what is half done by a stop', 'admin'),
  time,
})
