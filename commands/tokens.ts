// Lists the tokens, without the tokens themselves.
import type { Command } from 'fleet-host'
import { account, expires } from './_schemas/accounts.ts'
import { list, object } from './_schemas/objects.ts'

export default {
  summary: 'List the tokens of programs',
  group: 'Access',
  route: 'GET /tokens',
  access: 'admin',
  returns: object({ tokens: list(account({ expires })) }),
  answer: ({ services }) => ({ tokens: services.access.tokens() }),
} satisfies Command
