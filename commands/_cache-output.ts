// The schemas of the commands for caches, and how the output of their scripts is understood.
import type { Client, FromSchema, ReplyFailure } from 'fleet-host'
import { marker } from './_cache-script.ts'

/** Only characters that mean nothing to a shell, and no option. */
export const cachedName = {
  type: 'string',
  pattern: '^[A-Za-z0-9_][A-Za-z0-9_.+-]{0,199}$',
  expected: 'letters, digits and _ . + -',
} as const

/** Of `POST /shell/run`. */
export const scriptReply = { type: 'object', properties: { out: { type: 'string' } } } as const

/** Stores the output without its last line, which says how the script ended. */
export function readOutput(
  { out = '' }: FromSchema<typeof scriptReply>,
  client: Pick<Client, 'setOutput'>,
): ReplyFailure | undefined {
  const lines = out.trimEnd().split('\n')
  const last = lines.at(-1) ?? ''
  if (!last.startsWith(marker)) {
    client.setOutput(out)
    return { result: 'failure', reason: 'the script was not run to its end' }
  }
  client.setOutput(lines.slice(0, -1).join('\n'))
  const reason = last.slice(marker.length)
  return reason === 'ok' ? undefined : { result: 'failure', reason }
}
