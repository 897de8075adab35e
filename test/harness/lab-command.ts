// A command of the jobs labs.
import type { LoadedCommand } from '../../host/contract/loaded-command.ts'

/** One that is sent to agents. */
export const labCommand = (name: string, forward: object = {}): LoadedCommand => ({
  kind: 'command',
  pack: '',
  id: name,
  name,
  command: { summary: '', route: `POST /${name}`, forward: { to: `GET /${name}`, ...forward } },
  method: 'POST',
  path: `/${name}`,
  access: 'operate',
  clientKeys: ['clients'],
  targetKeys: ['clients'],
  findsClients: true,
  checkPayload: undefined,
  checkQuery: undefined,
  checkReply: undefined,
  file: name,
  origin: 'built-in',
  version: 1,
  digest: '',
  loadedAt: new Date(),
})
