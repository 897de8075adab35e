// Random runs of fast-check, others each time, and sequences of calls whose results are those of a small model.
import fc, { type IAsyncPropertyWithHooks } from 'fast-check'
import { not } from 'uvu/assert'
import { roundsOf } from './rounds.ts'

/** Then a shorter sequence is searched no more. */
const mostMilliseconds = 120_000

/** A failure names the seed with which the shortest sequence that was found runs again. */
export async function checkRandom<Values>(property: IAsyncPropertyWithHooks<Values>, few: number): Promise<void> {
  const seed = Number(process.env.FLEET_TEST_SEED) || undefined
  const limits = { numRuns: roundsOf(few), interruptAfterTimeLimit: mostMilliseconds }
  const result = await fc.check(property, { ...limits, ...(seed && { seed }) })
  not.ok(result.failed, `FLEET_TEST_SEED=${result.seed}: ${String(result.errorInstance)}`)
}

export interface Call<Model> {
  name: string
  /** Changes the model as the call changes what it is the model of. */
  run(model: Model): Promise<void>
}

export interface Modelled<Model> {
  calls: fc.Arbitrary<Call<Model>>
  create(): Promise<Model> | Model
  /** Called after each call: rejects where model and product differ. */
  compare(model: Model): Promise<void>
  end?(model: Model): Promise<void>
}

/** Runs random sequences of the calls, each with a model of its own. */
export function checkModel<Model extends object>(modelled: Modelled<Model>, few: number): Promise<void> {
  const commands = modelled.calls.map(
    ({ name, run }): fc.AsyncCommand<Model, Model> => ({
      check: () => true,
      async run(_, model) {
        await run(model)
        await modelled.compare(model)
      },
      toString: () => name,
    }),
  )
  const property = fc.asyncProperty(fc.commands([commands], { maxCommands: 30, size: 'max' }), async commands => {
    const model = await modelled.create()
    try {
      await fc.asyncModelRun(() => ({ model, real: model }), commands)
    } catch (error) {
      throw new Error(`${String(commands)}: ${String(error)}`, { cause: error })
    } finally {
      await modelled.end?.(model)
    }
  })
  return checkRandom(property, few)
}
