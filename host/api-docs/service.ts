// The API reference that commands are handed: the OpenAPI document of the commands in service, and its page.
import type { LoadedCommand } from '../contract/loaded-command.ts'
import type { ApiDocsService, TextResponse } from '../contract/services.ts'
import { describeApi } from './openapi.ts'
import { renderPage } from './page.ts'

/** `commands` returns a new list whenever a command file changes. */
export function createApiDocs(commands: () => readonly LoadedCommand[]): ApiDocsService {
  let described: readonly LoadedCommand[] | undefined
  let document: object = {}
  let bytes: Buffer | undefined
  let page: TextResponse | undefined
  const update = () => {
    if (described === commands()) return
    described = commands()
    document = describeApi(described)
    bytes = undefined
    page = undefined
  }
  const json = () => {
    update()
    bytes ??= Buffer.from(JSON.stringify(document))
    return bytes
  }
  return {
    openapi() {
      update()
      return document
    },
    json,
    page() {
      const text = json()
      page ??= renderPage(text.toString())
      return page
    },
  }
}
