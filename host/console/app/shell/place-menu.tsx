// The places of the console, with the rooms below the computers, and what the place that is shown has as tabs.
import type { ComponentChildren } from 'preact'
import { t } from '../language/translate.ts'
import { type Page, type PlaceName, shownPlaces, tabsOf } from '../pages/page-list.ts'
import { type CenterView, centers, type RoomView } from '../state/lab.ts'
import { linkTo, route } from '../state/route.ts'
import { viewPages } from '../state/views.ts'
import { RoomBar } from './room-bar.tsx'

const { dataset } = document.documentElement
/** What this browser keeps: `hidden` where the menu is no column, also on wide pages. */
const menuKey = 'fleet-menu'
dataset.menu = localStorage.getItem(menuKey) ?? ''

export function toggleMenu(): void {
  dataset.menu = dataset.menu === '' ? 'hidden' : ''
  localStorage.setItem(menuKey, dataset.menu)
}

export function PlaceMenu({ page }: { page: Page | undefined }) {
  return (
    <nav id="navigation" popover="auto" aria-label={t('frame.navigation')}>
      <ul>
        {shownPlaces().map(place => (
          <li key={place}>
            <PlaceLink place={place} isCurrent={page?.place === place} />
            {place === 'computers' && centers.value.length > 0 && <RoomTree />}
          </li>
        ))}
      </ul>
    </nav>
  )
}

function PlaceLink({ place, isCurrent }: { place: PlaceName; isCurrent: boolean }) {
  return (
    <MenuLink href={linkTo(tabsOf(place)[0]?.name ?? '')} current={isCurrent && 'true'}>
      {t(`place.${place}`)}
    </MenuLink>
  )
}

function RoomTree() {
  return (
    <ul class="room-tree">
      {centers.value.map(center => (
        <CenterRooms key={center.id} center={center} />
      ))}
    </ul>
  )
}

/** The name of the only center says nothing. */
function CenterRooms({ center: { name, rooms } }: { center: CenterView }) {
  const links = rooms.map(room => <RoomLink key={room.id} room={room} />)
  if (centers.value.length === 1) return links
  return (
    <li>
      <span class="tree-center hint">{name}</span>
      <ul>{links}</ul>
    </li>
  )
}

function RoomLink({ room }: { room: RoomView }) {
  const { page, query } = route.value
  const isCurrent = page === '' && query.get('room') === String(room.id)
  return (
    <li>
      <MenuLink href={`${linkTo('')}?room=${room.id}`} current={isCurrent && 'location'} roomId={`room-${room.id}`}>
        <span class="cut">{room.name}</span>
        <RoomBar room={room} />
      </MenuLink>
    </li>
  )
}

interface MenuLinkProps {
  href: string
  current: 'true' | 'location' | false
  /** Of the section on the page. */
  roomId?: string
  children: ComponentChildren
}

function MenuLink({ href, current, roomId = '', children }: MenuLinkProps) {
  // It is open only where it is no column of the page.
  const close = () => {
    document.getElementById('navigation')?.hidePopover()
    // The address stays as it is, so nothing else leads there again.
    if (current === 'location') document.getElementById(roomId)?.scrollIntoView()
  }
  return (
    <a class="nav-link" href={href} aria-current={current || undefined} onClick={close}>
      {children}
    </a>
  )
}

/** What there is at the place; nothing where that is one page. */
export function PlaceTabs({ page }: { page: Page }) {
  const links =
    page.place === 'views'
      ? viewPages.value.map(({ name, title }) => ({ title, href: linkTo('view', ...name.split('/')) }))
      : tabsOf(page.place).map(({ name, title }) => ({ title: t(title), href: linkTo(name) }))
  if (links.length < 2 || !shownPlaces().includes(page.place)) return null
  const { page: name, rest } = route.value
  const own = page.place === 'views' ? linkTo(name, ...rest) : linkTo(name)
  const current = links.some(({ href }) => href === own) ? own : page.isTab ? links[0]?.href : undefined
  return (
    <nav class="section-nav" aria-label={t(`place.${page.place}`)}>
      {links.map(({ title, href }) => (
        <a class="nav-link" key={href} href={href} aria-current={href === current ? 'page' : undefined}>
          {title}
        </a>
      ))}
    </nav>
  )
}
