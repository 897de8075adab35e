// Lists what the provider said of those who logged in by it lately, for who writes the rules of the option `oidc`.
import type { CommandOf } from 'fleet-host'
import { receivedClaims } from './_schemas/accounts.ts'
import { list, object } from './_schemas/objects.ts'

const returns = object({ logins: list(receivedClaims, 'the newest first') })

export default {
  summary: 'List the claims of the last logins by the provider',
  group: 'Access',
  route: 'GET /login/claims',
  access: 'admin',
  assistants: false,
  returns,
  answer: ({ services }) => ({ logins: services.access.receivedClaims() }),
} satisfies CommandOf<{ returns: typeof returns }>
