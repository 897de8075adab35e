// Waits for a condition for which there is no event to wait for.

const waitTimeout = 5000 // ms

/** Checks the condition once per event-loop tick. Rejects when it stays false for so many milliseconds. */
export async function pollUntil(condition: () => boolean | Promise<boolean>, timeout = waitTimeout): Promise<void> {
  for (const end = Date.now() + timeout; !(await condition()); ) {
    if (Date.now() > end) throw new Error(`waited ${timeout} ms for ${condition}`)
    await new Promise(setImmediate)
  }
}
