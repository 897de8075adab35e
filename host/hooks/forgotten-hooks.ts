// Finds the hooks whose files were deleted while the daemon was down.
import { existsSync } from 'node:fs'
import { missingMilliseconds } from '../modules/timing.ts'
import type { HookRunner } from './hook-runner.ts'

/** `drop` is called for each. A file that is broken is there, and one whose whole folder is missing may come back. */
export function findForgotten(
  runners: ReadonlyMap<string, HookRunner>,
  drop: (id: string, file: string) => void,
): () => void {
  const timer = setTimeout(() => {
    for (const [id, { loaded, position }] of runners) {
      if (!loaded && position.declared && isGone(position.declared)) drop(id, position.declared.file)
    }
  }, missingMilliseconds)
  return () => clearTimeout(timer)
}

const isGone = ({ file, origin }: { file: string; origin: string }) =>
  !existsSync(file) && (origin === 'built-in' || existsSync(origin))
