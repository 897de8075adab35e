// Lists the tokens, without the tokens themselves.
import type { Command } from 'fleet-host'
import { account, expires } from './_account-fields.ts'
import { list, result } from './_result-schemas.ts'

const returns = result({ tokens: list(account({ expires })) })

export default {
  summary: 'List the tokens of programs',
  group: 'Access',
  route: 'GET /tokens',
  access: 'admin',
  returns,
  answer: ({ services }) => ({ tokens: services.access.tokens() }),
} satisfies Command
