// A part of the page that scrolls by itself, also by keyboard.
import type { ComponentChildren } from 'preact'

export interface ScrollBoxProps {
  /** Its name for screen readers. */
  label: string
  class: string
  children: ComponentChildren
}

export function ScrollBox({ label, class: name, children }: ScrollBoxProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it.
    <section class={name} tabIndex={0} aria-label={label}>
      {children}
    </section>
  )
}
