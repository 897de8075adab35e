// Finds scripts and their versions.
import type { Context, Script } from './_script-schemas.ts'

type Collections = Pick<Context, 'collections'>

/** More are deleted, the oldest first. */
export const keptVersions = 50

/** In the order of the numbers. */
export const versionKey = (script: string, version: number) => `${script}/${String(version).padStart(9, '0')}`

/** The newest, or the one of that number; undefined when there is none, or not any more. */
export async function findScript(
  { collections: { scripts, versions } }: Collections,
  name: string,
  version?: number,
): Promise<Script | undefined> {
  const newest = (await scripts.get(name))?.value
  if (!newest || version === undefined || version === newest.version) return newest
  return (await versions.get(versionKey(name, version)))?.value
}

export const isoTime = ({ changed }: Pick<Script, 'changed'>) => ({ changed: new Date(changed).toISOString() })
