// Lists the users.
import type { Command } from 'fleet-host'
import { account } from './_schemas/accounts.ts'
import { list, result } from './_schemas/results.ts'

const returns = result({ users: list(account({})) })

export default {
  summary: 'List users',
  group: 'Access',
  route: 'GET /users',
  access: 'admin',
  returns,
  answer: ({ services }) => ({ users: services.access.users() }),
} satisfies Command
