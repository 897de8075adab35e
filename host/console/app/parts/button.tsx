// A button that acts on the page; what sends a form is a native one.
import { useSignal } from '@preact/signals'
import type { ButtonHTMLAttributes, ComponentChildren, TargetedMouseEvent } from 'preact'

export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'type' | 'onClick'> {
  /** Default: its children. */
  text?: ComponentChildren
  /** The rest of its name, for those who do not see what it stands beside. */
  of?: string
  /** Until a promise that it returns has settled, the button takes no other press. */
  press?(event: TargetedMouseEvent<HTMLButtonElement>): unknown
}

export function Button({ text, of, press, children, ...attributes }: ButtonProps) {
  const isBusy = useSignal(false)
  const click = (event: TargetedMouseEvent<HTMLButtonElement>) => {
    const work = isBusy.peek() || press?.(event)
    if (!(work instanceof Promise)) return
    isBusy.value = true
    void work.finally(() => (isBusy.value = false))
  }
  return (
    <button type="button" onClick={click} aria-disabled={isBusy.value || undefined} {...attributes}>
      {text}
      {of && <span class="hidden-text"> {of}</span>}
      {children}
    </button>
  )
}
