// Answers go out together at the end of a turn of the event loop.

/**
 * Resolves when all requests that are ready in this turn have been served. A caller that gets its answer runs at once,
 * and may sleep again before the next one is written: to wake it once costs half of what it costs to wake it each time.
 */
export function createTurnEnd(): () => Promise<void> {
  let end: Promise<void> | undefined
  return () => {
    end ??= new Promise(resolve => {
      setImmediate(() => {
        end = undefined
        resolve()
      })
    })
    return end
  }
}
