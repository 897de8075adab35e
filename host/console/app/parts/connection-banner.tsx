// Says that the page has no connection: above the page, and in a dialog, which covers that.
import { formatTime, t } from '../language/translate.ts'
import { lostSince } from '../state/event-stream.ts'

export const ConnectionBanner = () =>
  lostSince.value === undefined ? null : (
    <p class="banner bad">{t('frame.noConnection', { time: formatTime(lostSince.value) })}</p>
  )
