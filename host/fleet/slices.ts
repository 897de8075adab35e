// Keeps a building that speaks at once from holding up everybody else.

/** Pieces of work that are done in one turn of the event loop. */
const together = 200

/** Does a piece of work now, or after those that wait already; gives whether it is done. */
export type InSlices = (work: () => void) => boolean

export function createSlices(): InSlices {
  let waiting: (() => void)[] = []
  let done = 0
  let turning = false

  function turn(): void {
    turning = false
    done = 0
    const slice = waiting.slice(0, together)
    waiting = waiting.slice(together)
    for (const [place, work] of slice.entries()) {
      try {
        start(work)
      } catch (error) {
        // Who has thrown keeps nobody else from their turn.
        waiting = [...slice.slice(place + 1), ...waiting]
        throw error
      }
    }
  }

  function start(work: () => void): void {
    if (!turning) setImmediate(turn)
    turning = true
    done += 1
    work()
  }

  return work => {
    const isFree = waiting.length === 0 && done < together
    if (isFree) start(work)
    else waiting.push(work)
    return isFree
  }
}
