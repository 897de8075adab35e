// Shows what the page of the login has of the provider at which people can log in.
import type { CommandOf } from 'fleet-host'
import { described, object, text } from './_schemas/objects.ts'

const returns = object({
  'label?': described(text, 'of the button that leads to the provider; absent without one', 'University account'),
})

export default {
  summary: 'Show by which provider people can log in',
  group: 'Access',
  route: 'GET /login/provider',
  access: 'none',
  returns,
  answer: ({ services }) => services.access.loginProvider(),
} satisfies CommandOf<{ returns: typeof returns }>
