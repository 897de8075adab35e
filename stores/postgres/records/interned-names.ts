// What many computers have in common and is stored once, as names and lists of software: how it is added.
import type { Statements } from '../connection/database.ts'
import { raw, sql } from '../connection/sql.ts'

/** What a statement did: nothing without its computer, nor when something is missing that must be added first. */
export interface Outcome {
  is_known: boolean
  is_stored: boolean
}

/** After an update a thousand computers report one new name together: the others wait until the first has added it. */
export class Additions {
  readonly #running = new Map<unknown, Promise<unknown>>()

  /** `add` also adds what is missing, for one caller with this key at a time. False for an unknown computer. */
  async storeOrAdd(key: unknown, store: () => Promise<Outcome>, add: () => Promise<Outcome>): Promise<boolean> {
    for (;;) {
      const stored = await store()
      if (!stored.is_known || stored.is_stored) return stored.is_known
      const earlier = this.#running.get(key)
      if (earlier) {
        await earlier
        continue
      }
      const added = add()
      const ended = () => this.#running.delete(key)
      this.#running.set(key, added.then(ended, ended))
      const { is_known, is_stored } = await added
      if (is_known && !is_stored) throw new Error('store: expected what is missing to be added, got less')
      return is_known
    }
  }
}

/**
 * Adds those that are missing, in their sequence, and keeps the others from being deleted until the transaction ends.
 * A lock lets one transaction after the other add names, so that no id is assigned in vain.
 */
export async function addNames(
  statements: Statements,
  table: 'operating_systems' | 'filesystems',
  names: readonly string[],
): Promise<void> {
  const distinct = [...new Set(names)]
  if (distinct.length === 0) return
  await sql`select pg_advisory_xact_lock(hashtext('fleet-host names'), hashtext(current_schema()))`.run(statements)
  await sql`select from ${raw(table)} where name = any (${distinct}::text[]) order by id for key share`.run(statements)
  await sql`
    insert into ${raw(table)} (name)
    select name from unnest(${distinct}::text[]) with ordinality as listed (name, at)
    where not exists (select from ${raw(table)} stored where stored.name = listed.name)
    order by at
  `.run(statements)
}
