// Compiles the schema of a kind of module; `callable` is a keyword of its own.
import { Ajv } from 'ajv'
import { formatAjvErrors, ownSchemas } from '../system/validation-errors.ts'

const ajv = new Ajv({ ...ownSchemas, strict: false, verbose: true, allErrors: true })
ajv.addKeyword({ keyword: 'callable', validate: (_: true, value: unknown) => typeof value === 'function' })

/** The check returns what was exported, and throws an error with one line when it breaks the contract. */
export function compileContract<Module>(schema: object, rootName: string): (exported: unknown) => Module {
  const matches = ajv.compile<Module>(schema)
  return exported => {
    if (matches(exported)) return exported
    // The misspelt key is a better hint than the required key that is missing because of it.
    const unknownKey = matches.errors?.find(({ keyword }) => keyword === 'additionalProperties')
    throw new Error(formatAjvErrors(unknownKey ? [unknownKey] : matches.errors?.slice(0, 1), rootName))
  }
}
