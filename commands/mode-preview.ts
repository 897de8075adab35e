// Returns the boot files that a computer would have in a mode, without writing them.
import type { CommandOf } from 'fleet-host'
import { oneAddress } from './_schemas/computer-fields.ts'
import { described, like, list, object, text } from './_schemas/objects.ts'

const payload = object({
  clients: oneAddress,
  mode: { type: 'string', description: 'one of those that `GET /mode` lists', examples: ['pxe'] },
})

const file = object({
  path: described(text, 'below the folder of boot files', 'grub/01-00:1b:21:0a:0b:0c'),
  content: like(text, 'set timeout=0\nset ISODIR=ogLive\n…'),
})

const returns = object({ files: list(file) })

export default {
  summary: 'Preview the boot files of a computer',
  group: 'Boot',
  route: 'GET /mode/preview',
  returns,
  payload,
  async answer({ payload, services }) {
    const [ip = ''] = payload.clients
    const files = await services.boot.preview(ip, payload.mode)
    return services.isRefusal(files) ? files : { files }
  },
} satisfies CommandOf<{ payload: typeof payload; returns: typeof returns }>
