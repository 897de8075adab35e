// Lists the bin: files of deleted images and versions, and of failed creations.
import type { Command } from 'fleet-host'
import { described, integer, like, list, result, text, time } from './_schemas/results.ts'

const entry = result({
  id: described(integer, 'for `image/undelete` and `image/purge`', 1789372800000),
  name: described(text, 'the file was `<name>.img`', 'ubuntu'),
  size: described(integer, 'bytes of all its files', 4312147165),
  deleted: time,
  expires: described(time, 'when it is removed for good', '2026-09-21T08:00:00.000Z'),
  reason: like(described(text, '`deleted` or `creation failed`'), 'deleted'),
})
const returns = result({ bin: list(entry, 'the newest first') })

export default {
  summary: 'List deleted images',
  group: 'Disks and images',
  route: 'GET /image/bin',
  returns,
  scoped: true,
  body: 'none',
  async answer({ services }) {
    return { bin: await services.images.bin() }
  },
} satisfies Command
