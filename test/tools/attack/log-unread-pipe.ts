// Requests are refused and logged while a program that should read the log does not.
import type { Attack } from './attack.ts'
import { causeLogLines } from './log-lines.ts'

export default {
  name: 'log-unread-pipe',
  summary: 'lines for the log while a program that should read the log does not',
  seconds: 3,
  daemon: { log: 'unread pipe' },
  run: causeLogLines,
} satisfies Attack
