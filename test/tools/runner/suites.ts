// Keeps the errors of tests until uvu has printed them, which it does at the end of a suite: a process that ends earlier
// would hide them.
// In the bundles of test files this file stands for uvu.
import { inspect } from 'node:util'
import { suite as createSuite, type Test } from 'uvu'

export type { Test } from 'uvu'

/** Of the suites that have not ended. */
let errors: string[] = []

/** As that of uvu. */
export function suite<Context>(title?: string, context?: Context): Test<Context> {
  const test = createSuite(title, context)
  const kept: typeof test.only = (name, handler) =>
    test(name, async values => {
      try {
        await handler(values)
      } catch (error) {
        errors.push(`${name}: ${inspect(error)}`)
        throw error
      }
    })
  return Object.assign(kept, test)
}

/** The errors of tests since the last call. */
export function takeErrors(): string[] {
  const taken = errors
  errors = []
  return taken
}
