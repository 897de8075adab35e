// The schema of what a diagnosis finds.
import { described, like, object, text } from './objects.ts'

export const finding = object({
  check: described(text, 'what was looked at', 'clock', 'connection'),
  level: { enum: ['ok', 'warning', 'problem'], examples: ['warning'] },
  text: like(text, 'store.path, boot.output: 93 % full, 1.2 GiB free'),
  'advice?': described(text, 'what to do; absent when all is well', 'make the disk larger'),
})
