// Keeps the limit of bytes for the outputs of all parts: the oldest outputs are dropped.
import type { StoreLimits } from '../../store.ts'
import type { Database, Statements, Work } from '../connection/database.ts'
import { sql } from '../connection/sql.ts'

/** The limit is looked at whenever this process has written this part of it. */
const partBetweenLooks = 1 / 16

/** What stays after a look, so that the limit is kept until the next look, also of a second process. */
const partKept = 7 / 8

export class OutputLimit {
  readonly #database: Database
  readonly #limits: StoreLimits
  /** Bytes since the last look; the first write looks, as earlier processes may have written before they ended. */
  #written = Number.POSITIVE_INFINITY

  constructor(database: Database, limits: StoreLimits) {
    this.#database = database
    this.#limits = limits
  }

  /** Does a write of one statement that stores these outputs; when a look is due, in one transaction with it. */
  write<Result>(outputs: readonly (string | undefined)[], work: Work<Result>): Promise<Result> {
    return this.#run(outputs, work, this.#database.write)
  }

  /** The same for a write of several statements. */
  transaction<Result>(outputs: readonly (string | undefined)[], work: Work<Result>): Promise<Result> {
    return this.#run(outputs, work, this.#database.transaction)
  }

  async #run<Result>(
    outputs: readonly (string | undefined)[],
    work: Work<Result>,
    run: (work: Work<Result>) => Promise<Result>,
  ): Promise<Result> {
    let bytes = 0
    for (const output of outputs) if (output) bytes += Buffer.byteLength(output)
    if (bytes === 0) return run(work)
    this.#written += bytes
    const limit = this.#limits.outputs_bytes
    if (this.#written < limit * partBetweenLooks) return run(work)
    const written = this.#written
    this.#written = 0
    try {
      return await this.#database.transaction(async statements => {
        const result = await work(statements)
        await dropOldOutputs(statements, limit)
        return result
      })
    } catch (error) {
      this.#written += written
      throw error
    }
  }
}

/** Keeps the newest outputs that take `partKept` of the limit together. */
async function dropOldOutputs(statements: Statements, limit: number): Promise<void> {
  const most = Math.floor(limit * partKept)
  await sql`
    with outputs as (
      select output_number, sum(output_bytes) over (order by output_number desc) as bytes
      from job_parts
      where output_number is not null
    )
    update job_parts set output = null, output_dropped = true, output_number = null, output_bytes = 0
    where output_number in (select output_number from outputs where bytes > ${most})
  `.run(statements)
}
