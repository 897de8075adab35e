// The room map: every room with a tile per computer, filters, selection, and the action bar.
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { ActionBar } from '../../actions/action-bar.tsx'
import { openTileMenu, TileMenu } from '../../actions/tile-menu.tsx'
import { urlOf } from '../../api/request.ts'
import { t } from '../../language/translate.ts'
import { Button } from '../../parts/button.tsx'
import { lazy } from '../../parts/lazy.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { isFiltered, noFilter, setFilter, shownComputers } from '../../state/filter.ts'
import { isLoaded, pendingClients, rooms } from '../../state/lab.ts'
import { linkTo, route } from '../../state/route.ts'
import { select } from '../../state/selection.ts'
import { may } from '../../state/session.ts'
import { isTyping } from '../../state/typing.ts'
import { later } from '../page-scripts.ts'
import { adopting } from './adopting.ts'
import { MapToolbar } from './map-toolbar.tsx'
import { shownRoom } from './room-button.tsx'
import { PendingSection, RoomSection } from './room-section.tsx'
import { stopArranging } from './seat-draft.ts'
import { followFocus, pressKey } from './tile-keys.ts'
import { followPointer } from './tile-pointer.ts'
import { computerOf, selectTile, tileAt } from './tile-selection.ts'

const AdoptDialog = lazy(later, 'AdoptDialog')
const RoomRecord = lazy(later, 'RoomRecord')
/** Drawn by itself: the map is not drawn again. */
const OpenDialogs = () => (
  <>
    {adopting.value && <AdoptDialog />}
    {shownRoom.value && <RoomRecord />}
  </>
)

export function RoomsPage() {
  if (!isLoaded.value) return <p class="hint">{t('resource.loading')}</p>
  if (rooms.value.length === 0 && pendingClients.value.length === 0) return <Welcome />
  return (
    <>
      <MapToolbar />
      <NothingShown />
      <RoomMap />
      <ActionBar />
      <TileMenu />
      <OpenDialogs />
    </>
  )
}

/** How far the map was scrolled when it was left: the way back leads there. */
let lastScroll: number | undefined

/** Of an entry of the browser's history, so that only the first visit leads to the top of the room. */
const hasShown = (room: string): boolean => lastScroll !== undefined && history.state?.room === room

function RoomMap() {
  const map = useRef<HTMLDivElement>(null)
  const frame = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (!map.current || !frame.current) return
    const element = map.current
    const endPointer = followPointer(element, frame.current)
    const ending = new AbortController()
    const press = (event: KeyboardEvent) => pressKey(event, element)
    element.addEventListener('keydown', press, { signal: ending.signal })
    element.addEventListener('focusin', followFocus, { signal: ending.signal })
    element.addEventListener('focusout', followFocus, { signal: ending.signal })
    element.addEventListener('contextmenu', openMenu, { signal: ending.signal })
    addEventListener('keydown', pressPageKey, { signal: ending.signal })
    return () => {
      endPointer()
      ending.abort()
      stopArranging()
    }
  }, [])
  const room = route.value.query.get('room')
  useLayoutEffect(() => {
    if (room === null || hasShown(room)) scrollTo(0, lastScroll ?? 0)
    else document.getElementById(`room-${room}`)?.scrollIntoView()
    history.replaceState({ room }, '')
    return () => {
      lastScroll = scrollY
    }
  }, [room])
  // The same sections as before are not rendered again when the address changes.
  const sections = useMemo(() => rooms.value.map(each => <RoomSection key={each.id} room={each} />), [rooms.value])
  return (
    <div ref={map} class="room-map">
      {sections}
      <PendingSection />
      <div ref={frame} class="selection-frame" hidden />
    </div>
  )
}

/** Of the selection; of a tile alone that is not in it. */
function openMenu(event: MouseEvent): void {
  const tile = tileAt(event.target)
  if (!tile) return
  event.preventDefault()
  const isSelected = tile.getAttribute('aria-selected') === 'true'
  if (!isSelected) selectTile(tile, 'only')
  openTileMenu(tile, event, isSelected ? undefined : computerOf(tile))
}

/** Keys of the whole page, unless something is typed or a dialog is open. */
function pressPageKey(event: KeyboardEvent): void {
  if (isTyping(event.target) || event.defaultPrevented) return
  if (event.key === 'Escape') select([], 'only')
  if (event.key.toLowerCase() !== 'a' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  select(shownComputers.peek(), 'only')
}

function NothingShown() {
  if (shownComputers.value.length > 0 || !isFiltered.value) return null
  return (
    <div class="empty-state flow">
      <p>{t('rooms.none')}</p>
      <Button text={t('rooms.clearFilter')} press={() => setFilter(noFilter)} />
    </div>
  )
}

function Welcome() {
  return (
    <>
      <PageHead title={t('plannedRestores.rooms')} />
      <div class="empty-state card flow">
        <h2>{t('rooms.welcome')}</h2>
        <p class="hint">{may('admin') ? t('rooms.welcomeText') : t('rooms.welcomeLimited')}</p>
        {may('admin') && (
          <a class="button" href={linkTo('import')}>
            {t('command.client-import')}
          </a>
        )}
        <a class="button" href={urlOf('/docs')} target="_blank" rel="noreferrer">
          {t('rooms.toDocs')} <span aria-hidden="true">↗</span>
        </a>
      </div>
    </>
  )
}
