// Judges when the event stream has to be opened again: a line that is cut without a word looks like a quiet one.

/** Milliseconds: the daemon sends a heartbeat every 15 s, and opens the stream at once. */
const limits = { live: 35_000, connecting: 15_000 }

/** `since`: when the daemon was heard, or the stream was opened. A clock that was set back counts as long, too. */
export const isOverdue = (state: keyof typeof limits, since: number, now: number): boolean =>
  Math.abs(now - since) >= limits[state]
