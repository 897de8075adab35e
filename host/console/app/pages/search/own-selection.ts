// The selection of the search page: a part of what it shows. The one that it was opened with comes back when it is left.
import { useEffect } from 'preact/hooks'
import { type ComputerView, viewOf } from '../../state/lab.ts'
import { select, selectedComputers } from '../../state/selection.ts'

const addresses = (): string =>
  selectedComputers()
    .map(({ ip }) => ip)
    .join()

/** The selection as the page has left it; the user has changed any other one. */
let left = ''

/** To be called before `selectAmong`. */
export function useOwnSelection(): void {
  useEffect(() => {
    const before = addresses()
    left = before
    return () => {
      if (addresses() !== left) return
      select(
        before.split(',').flatMap(ip => viewOf(ip) ?? []),
        'only',
      )
    }
  }, [])
}

/** Nothing is sent to a computer that is not on the page. */
export function selectAmong(shown: readonly ComputerView[]): void {
  const own = new Set(shown)
  const isUntouched = addresses() === left
  select(
    selectedComputers().filter(each => !own.has(each)),
    'remove',
  )
  if (isUntouched) left = addresses()
}
