// Loaded before a test file of modules: TypeScript, and the package's name wherever the file is.
import { register as registerHooks } from 'node:module'
import { register } from 'tsx/esm/api'

register({ tsconfig: false })
const kit = new URL('start-lab.ts', import.meta.url).href
// A site's folder needs no package.json: its files are modules all the same.
const hooks = `export async function resolve(name, context, next) {
  if (name === 'fleet-host/test') return { url: ${JSON.stringify(kit)}, format: 'module', shortCircuit: true }
  const found = await next(name, context)
  return !found.url.includes('/node_modules/') && /^file:.*\\.[jt]s(\\?|$)/.test(found.url) ? { ...found, format: 'module' } : found
}`
registerHooks(`data:text/javascript,${encodeURIComponent(hooks)}`)
