// The schemas of image files in answers.
import { described, integer, result, text, time } from './_result-schemas.ts'

const check = result(
  {
    state: described(
      text,
      'whether the file matches the checksum next to it: not checked, queued, running, ok, damaged, no checksum, unreadable',
      'ok',
    ),
    at: described(time, 'end of the check'),
    percent: described(integer, 'of a running check', 40),
  },
  ['at', 'percent'],
)

export const imageFile = {
  size: described(integer, 'bytes of the file', 4312147165),
  modified: described(text, 'local time: Www Mmm dd hh:mm:ss yyyy', 'Mon Sep 14 10:30:00 2026'),
  permissions: described(text, 'octal', '644'),
  check,
}

export const imageVersion = result({
  name: described(text, '`image/restore` takes it as the name of the image', 'ubuntu.v2'),
  version: described(integer, 'which creation wrote the file', 2),
  ...imageFile,
})
