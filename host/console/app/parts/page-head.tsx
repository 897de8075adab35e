// The heading of a page, with its actions at the right.
import type { ComponentChildren } from 'preact'

export function PageHead({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="head">
      <h1>{title}</h1>
      <div class="actions">{children}</div>
    </div>
  )
}
