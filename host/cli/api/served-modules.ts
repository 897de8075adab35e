// The command files whose command is in service.
import type { ModuleAnswer, ModulesAnswer } from '../../contract/answers.ts'
import type { ApiClient } from './client.ts'

export type ServedModule = ModuleAnswer & { route: string }

export async function listServed({ call }: ApiClient): Promise<ServedModule[]> {
  const { body } = await call<ModulesAnswer>('GET /modules')
  return body.modules.flatMap(({ route, ...entry }) => (route === undefined ? [] : [{ ...entry, route }]))
}
