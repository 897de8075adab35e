// The commands that the daemon serves, as `GET /modules` lists them.
import type { ModuleAnswer } from '../../contract/answers.ts'
import type { ApiClient } from './client.ts'

export type ServedModule = ModuleAnswer & { route: string }

/** The command files whose command is in service. */
export async function listServed({ call }: ApiClient): Promise<ServedModule[]> {
  const { body } = await call('GET /modules')
  return body.modules.flatMap(({ route, ...entry }) => (route === undefined ? [] : [{ ...entry, route }]))
}
