// The reason of a part that was interrupted: by which command, and when a job was stopped by whom. Imports nothing.

export const interruptedBy = ({ command, by }: { command: string; by?: string | undefined }): string =>
  `interrupted by ${command}${by === undefined ? '' : ` of ${by}`}`

export const stopPattern = /^interrupted by stop(?: of (.+))?$/

/** Who has stopped it, '' when that is not known; undefined: nobody has. */
export function stopperOf(reason: string): string | undefined {
  const match = stopPattern.exec(reason)
  return match ? (match[1] ?? '') : undefined
}
