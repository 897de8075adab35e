// Calls routes of built-in packs, which are off until an administrator enables them.
import { CliError } from '../cli-error.ts'

/** What `call` resolves to; a route that is not there has a pack that is off. */
export async function ofPack<Result>(pack: string, call: () => Promise<Result>): Promise<Result> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof CliError && error.status === 404)
      throw new CliError(`the pack ${pack} is not enabled: fleet pack enable ${pack}`)
    throw error
  }
}
