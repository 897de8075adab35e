#!/usr/bin/env node
// The `fleet` program: registers the loader that understands TypeScript from its own folder, so it runs anywhere.
import { register } from 'tsx/esm/api'

// A tsconfig.json of the folder that it is called from is not for it.
register({ tsconfig: false })
await import('./fleet.ts')
