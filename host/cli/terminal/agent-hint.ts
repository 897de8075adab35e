// Says where to look when an agent has replied with a status and has not said why.
import { paint } from './terminal.ts'

const withoutReason = /\bagent replied \d+(?![\d:])/
const hint =
  'where an agent replied a status only, its log says why: on Linux, journalctl -u fleet-agent on that computer'

/** One line for all of `text`, or none. */
export const agentHint = (text: string): string[] => (withoutReason.test(text) ? [paint('gray', hint)] : [])
