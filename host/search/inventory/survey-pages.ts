// Reads what many computers have, some hundreds at a time.
import type { Store, SurveyedComputer } from '../../../stores/store.ts'
import type { SearchService } from '../../contract/services.ts'
import { slices } from '../../system/request-slices.ts'

export interface SurveyDeps {
  store: Pick<Store, 'inventory' | 'scopes'>
  search: Pick<SearchService, 'find'>
}

/** Some milliseconds. */
export const computersAtOnce = 250

export async function* surveyPages(
  { store }: { store: Pick<Store, 'inventory'> },
  computers: readonly { ip: string }[],
): AsyncGenerator<SurveyedComputer> {
  for (let from = 0; from < computers.length; from += computersAtOnce) {
    await slices.pause()
    const ips = computers.slice(from, from + computersAtOnce).map(({ ip }) => ip)
    yield* await store.inventory.survey(ips)
  }
}
