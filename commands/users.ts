// Lists the users.
import type { CommandOf } from 'fleet-host'
import { account } from './_schemas/accounts.ts'
import { list, object } from './_schemas/objects.ts'

const returns = object({ users: list(account({})) })

export default {
  summary: 'List users',
  group: 'Access',
  route: 'GET /users',
  access: 'admin',
  returns,
  answer: ({ services }) => ({ users: services.access.users() }),
} satisfies CommandOf<{ returns: typeof returns }>
