// The time of an attack, which begins again when the attack makes progress.

export type AttackTime = ReturnType<typeof startAttackTime>

/** `grace`: milliseconds that it may take longer, in which it waits for responses. */
export function startAttackTime(milliseconds: number, grace: number) {
  let end = 0
  let timer: NodeJS.Timeout | undefined
  let exceed = () => {}
  const exceeded = new Promise<void>(resolve => {
    exceed = resolve
  })
  const begin = () => {
    end = performance.now() + milliseconds
    clearTimeout(timer)
    timer = setTimeout(exceed, milliseconds + grace)
  }
  begin()
  return {
    isOver: () => performance.now() > end,
    progressed: begin,
    exceeded,
    stop: () => clearTimeout(timer),
  }
}
