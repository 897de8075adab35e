// Keeps a building that speaks at once from holding up everybody else.

/** Pieces of work that are done in one turn of the event loop; a large one counts as several. */
const together = 200
const pieceBytes = 1024

/** Does a piece of work, on so many bytes, now or after those that wait already; gives whether it is done. */
export type TimeSlicer = (work: () => void, bytes?: number) => boolean

interface Piece {
  work: () => void
  weight: number
}

export function createTimeSlicer(): TimeSlicer {
  let waiting: Piece[] = []
  let done = 0
  let turning = false

  function turn(): void {
    turning = false
    done = 0
    let next = 0
    try {
      for (let piece = waiting[next]; piece && done < together; piece = waiting[next]) {
        next += 1
        start(piece)
      }
    } finally {
      // Also when one has thrown: that keeps nobody else from their turn.
      waiting = waiting.slice(next)
    }
  }

  function start({ work, weight }: Piece): void {
    if (!turning) setImmediate(turn)
    turning = true
    done += weight
    work()
  }

  return (work, bytes = 0) => {
    const piece = { work, weight: 1 + Math.floor(bytes / pieceBytes) }
    const isFree = waiting.length === 0 && done < together
    if (isFree) start(piece)
    else waiting.push(piece)
    return isFree
  }
}

/**
 * Resolves when all requests that are ready in this turn have been served. A caller that gets its answer runs at once,
 * and may sleep again before the next one is written: to wake it once costs half of what it costs to wake it each time.
 */
export function createTickBatch(): () => Promise<void> {
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
