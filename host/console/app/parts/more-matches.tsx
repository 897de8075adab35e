// Says in a form that its computers are those that the search has shown, when more match by now.
import { t } from '../language/translate.ts'
import { newMatches } from '../state/searches.ts'

export function MoreMatches() {
  const n = newMatches.value
  return (
    <div role="status">
      {n > 0 && (
        <p class="banner warn">
          {t('search.more', { n })} {t('search.asShown')}
        </p>
      )}
    </div>
  )
}
