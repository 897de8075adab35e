// Requests are refused and logged while a program that reads the log has ended.
import type { Attack } from './attack.ts'
import { causeLogLines } from './log-lines.ts'

export default {
  name: 'log-closed-pipe',
  summary: 'lines for the log while a program that reads the log has ended',
  seconds: 3,
  cheap: true,
  daemon: { log: 'closed pipe' },
  run: causeLogLines,
} satisfies Attack
