// Lists the users.
import type { Command } from 'fleet-host'
import { account } from './_schemas/accounts.ts'
import { list, object } from './_schemas/objects.ts'

export default {
  summary: 'List users',
  group: 'Access',
  route: 'GET /users',
  access: 'admin',
  returns: object({ users: list(account({})) }),
  answer: ({ services }) => ({ users: services.access.users() }),
} satisfies Command
