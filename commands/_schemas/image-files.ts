// The schemas of files of images in answers.
import { described, integer, object, text, time } from './objects.ts'

const check = object({
  state: {
    enum: ['not checked', 'queued', 'running', 'ok', 'damaged', 'no checksum', 'unreadable'],
    description: 'whether the file matches the checksum next to it',
    examples: ['ok'],
  },
  'at?': described(time, 'end of the check'),
  'percent?': described(integer, 'of a running check', 40),
})
export const imageFile = {
  size: described(integer, 'bytes of the file', 4312147165),
  modified: described(text, 'local time: Www Mmm dd hh:mm:ss yyyy', 'Mon Sep 14 10:30:00 2026'),
  permissions: described(text, 'octal', '644'),
  check,
}
export const imageVersion = object({
  name: described(text, '`image/restore` takes it as the name of the image', 'ubuntu.v2'),
  version: described(integer, 'which creation wrote the file', 2),
  ...imageFile,
})

export const binEntry = object({
  id: described(integer, 'for `image/undelete` and `image/purge`', 1789372800000),
  name: described(text, 'the file was `<name>.img`', 'ubuntu'),
  size: described(integer, 'bytes of all its files', 4312147165),
  deleted: time,
  expires: described(time, 'when it is removed for good', '2026-09-21T08:00:00.000Z'),
  reason: { enum: ['deleted', 'creation failed'], examples: ['deleted'] },
})
