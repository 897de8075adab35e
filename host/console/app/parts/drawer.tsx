// What opens beside the page, at its right: Escape closes it, and what had the focus before gets it again.
import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { t } from '../language/translate.ts'
import { isTyping } from '../state/typing.ts'
import { Button } from './button.tsx'

export interface DrawerProps {
  title: string
  /** Of the page that has more of it. */
  href: string
  /** Closes it, as Escape does. */
  closingKey?: string
  /** Takes the focus when it opens, also from what had it. */
  isFocused?: boolean
  onClose(): void
  children: ComponentChildren
}

export function Drawer({ title, href, closingKey, isFocused = false, onClose, children }: DrawerProps) {
  const drawer = useRef<HTMLElement>(null)
  useOpener(drawer, href)
  // The button that was pressed may be gone.
  useEffect(() => {
    if (isFocused || document.activeElement === document.body) drawer.current?.focus({ preventScroll: true })
  }, [href])
  useEffect(() => {
    // Before other keys of the page: what is selected stays.
    const press = (event: KeyboardEvent) => {
      const isClosing = event.key === 'Escape' || (event.key === closingKey && event.target === drawer.current)
      if (!isClosing || isTyping(event.target) || document.querySelector(':popover-open')) return
      event.preventDefault()
      onClose()
    }
    addEventListener('keydown', press, true)
    return () => removeEventListener('keydown', press, true)
  }, [onClose])
  return (
    <aside class="drawer" aria-labelledby="drawer-title" tabIndex={-1} ref={drawer}>
      <header>
        <h2 id="drawer-title">
          <a href={href}>{title}</a>
        </h2>
        <Button text="×" class="plain icon" aria-label={t('action.close')} press={onClose} />
      </header>
      {children}
    </aside>
  )
}

/** Gives the focus back when the drawer is closed, unless something else has it by then. */
function useOpener(drawer: RefObject<HTMLElement | null>, href: string): void {
  const opener = useRef<Element | null>(null)
  useEffect(() => {
    if (!drawer.current?.contains(document.activeElement)) opener.current = document.activeElement
  }, [href])
  useEffect(
    () => () => {
      const { activeElement: active, body } = document
      if (active !== body && !drawer.current?.contains(active)) return
      const { current } = opener
      const next = current?.isConnected && current !== body ? current : document.getElementById('main')
      if (next instanceof HTMLElement) next.focus({ preventScroll: true })
    },
    [],
  )
}
