// Paths of this installation.
import { fileURLToPath } from 'node:url'

const inPackage = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))

export const mainFile = inPackage('host/main.ts')
/** The folder of the built-in commands. */
export const builtInFolder = inPackage('commands')
/** The types that command files import as `fleet-host`. */
export const declarationFile = inPackage('docs/fleet-host.d.ts')
