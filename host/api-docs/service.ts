// The API reference that commands are handed: the OpenAPI document of the commands in service, and its page.
import type { LoadedCommand } from '../loaded-command.ts'
import type { ApiDocsService, TextResponse } from '../services.ts'
import { describeApi } from './openapi.ts'
import { renderPage } from './page.ts'

/** `commands` returns a new list whenever a command file changes. */
export function createApiDocs(commands: () => readonly LoadedCommand[]): ApiDocsService {
  let described: readonly LoadedCommand[] | undefined
  let document: object = {}
  let page: TextResponse | undefined
  const update = () => {
    if (described === commands()) return
    described = commands()
    document = describeApi(described)
    page = undefined
  }
  return {
    openapi() {
      update()
      return document
    },
    page() {
      update()
      page ??= renderPage(JSON.stringify(document))
      return page
    },
  }
}
