// Checks that the outputs to which rows refer can be read.
import { referencesIn } from '../../memory/outputs.ts'
import type { Tables } from '../../memory/tables/tables.ts'
import { readOutputs } from './output-reader.ts'

/** Resolves to one line for each damaged output; outputs whose files were deleted are none. */
export async function findDamagedOutputs(path: string, { all }: Tables): Promise<string[]> {
  const problems: string[] = []
  const log = { info() {}, warn: (_where: string, what: string) => void problems.push(what) }
  for (const row of all.parts.all()) await readOutputs(path, referencesIn(row), log)
  return problems
}
