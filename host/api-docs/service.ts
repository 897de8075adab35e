// The API reference that commands are handed: the OpenAPI document of the commands in service, and its page.

import { renderApiPage } from '../console/api-page.ts'
import type { LoadedCommand } from '../contract/loaded-command.ts'
import type { ApiDocsService } from '../contract/services.ts'
import { describeApi } from './openapi.ts'

interface Described {
  commands: readonly LoadedCommand[]
  document: object
  json: Buffer
}

/** `commands` returns a new list whenever a command file changes. */
export function createApiDocs(commands: () => readonly LoadedCommand[]): ApiDocsService {
  let described: Described | undefined
  const current = () => {
    if (described?.commands === commands()) return described
    const document = describeApi(commands())
    described = { commands: commands(), document, json: Buffer.from(JSON.stringify(document)) }
    return described
  }
  return {
    openapi: () => current().document,
    json: () => current().json,
    page: () => renderApiPage(current().json.toString()),
  }
}
