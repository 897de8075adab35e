// Keeps a building that speaks at once from holding up everybody else.

/** Pieces of work that are done in one turn of the event loop; a large one counts as several. */
const together = 200
const pieceBytes = 1024

/** Does a piece of work, on so many bytes, now or after those that wait already; gives whether it is done. */
export type InSlices = (work: () => void, bytes?: number) => boolean

interface Piece {
  work: () => void
  weight: number
}

export function createSlices(): InSlices {
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
