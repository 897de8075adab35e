// Lists the tokens, without the tokens themselves.
import type { CommandOf } from 'fleet-host'
import { account, expires } from './_schemas/accounts.ts'
import { list, object } from './_schemas/objects.ts'

const returns = object({ tokens: list(account({ expires })) })

export default {
  summary: 'List the tokens of programs',
  group: 'Access',
  route: 'GET /tokens',
  access: 'admin',
  returns,
  answer: ({ services }) => ({ tokens: services.access.tokens() }),
} satisfies CommandOf<{ returns: typeof returns }>
