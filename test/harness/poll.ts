// Waits for a condition for which there is no event to wait for.

// Milliseconds. The timeout is for a busy machine.
const waitTimeout = 60_000
const spinTime = 20
const leastInterval = 5
const mostInterval = 50

/** A twentieth of the time waited so far: a condition that takes long costs little, and is seen hardly later. */
const intervalAfter = (waited: number) => Math.min(mostInterval, Math.max(leastInterval, waited / 20))

/**
 * Checks the condition once per event-loop tick, and more and more rarely when it is not true soon: what it waits for may
 * need the processor. Rejects when it stays false for so many milliseconds.
 */
export async function pollUntil(condition: () => boolean | Promise<boolean>, timeout = waitTimeout): Promise<void> {
  for (const start = Date.now(); !(await condition()); ) {
    const waited = Date.now() - start
    if (waited > timeout) throw new Error(`waited ${timeout} ms for ${condition}`)
    await new Promise(resolve =>
      waited < spinTime ? setImmediate(resolve) : setTimeout(resolve, intervalAfter(waited)),
    )
  }
}
