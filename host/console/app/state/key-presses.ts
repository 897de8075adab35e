// One press of a key, and one double click, does one thing: what it opens, it does not answer.

/** Of the key that is down, another one for each press; undefined when none is. */
let press: number | undefined
let count = 0

/** Milliseconds, as browsers count a double click. */
const doubleClickTime = 500

/** To be called once, before anything else listens to keys. */
export function followPresses(): void {
  addEventListener('keydown', begin, true)
  const end = () => {
    press = undefined
  }
  addEventListener('keyup', end, true)
  // The key may be released elsewhere.
  addEventListener('blur', end)
}

function begin(event: KeyboardEvent): void {
  // A key that is held would press one button after the other.
  if (event.repeat) return isRepeatable(event) ? undefined : stop(event)
  count += 1
  press = count
}

/** Letters and arrows; Enter only where it begins a line, Space only where it is typed. */
function isRepeatable({ key, target }: KeyboardEvent): boolean {
  if (key !== 'Enter' && key !== ' ') return true
  return target instanceof HTMLTextAreaElement || (key === ' ' && target instanceof HTMLInputElement)
}

/**
 * Keeps what has just opened from what opened it: the browser gives the rest of a key press to whatever has the focus then,
 * and the second click of a double click to whatever is there.
 */
export function ignoreOpener(opened: HTMLElement): void {
  const opener = press
  const time = performance.now()
  const check = (event: Event) => {
    const clicks = event instanceof MouseEvent ? event.detail : 0
    const isKey = clicks === 0 && opener !== undefined && press === opener
    const isSecondClick = clicks > 1 && event.timeStamp - time < doubleClickTime
    if (isKey || isSecondClick) stop(event)
  }
  for (const type of ['keydown', 'keypress', 'click', 'submit']) opened.addEventListener(type, check, true)
}

function stop(event: Event): void {
  event.preventDefault()
  event.stopPropagation()
}
