// The command files whose command is in service.
import type { ModuleEntry } from '../../contract/services.ts'
import type { ApiClient } from './client.ts'

export type ServedModule = ModuleEntry & { route: string }

export async function listServed({ call }: ApiClient): Promise<ServedModule[]> {
  const { body } = await call<{ modules: ModuleEntry[] }>('GET /modules')
  return body.modules.flatMap(({ route, ...entry }) => (route === undefined ? [] : [{ ...entry, route }]))
}
