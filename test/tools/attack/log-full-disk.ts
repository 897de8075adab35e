// Requests are refused and logged while the log lies on a full disk.
import type { Attack } from './attack.ts'
import { causeLogLines } from './log-lines.ts'

export default {
  name: 'log-full-disk',
  summary: 'lines for the log while the log lies on a full disk',
  seconds: 3,
  daemon: { log: 'full disk' },
  run: causeLogLines,
} satisfies Attack
