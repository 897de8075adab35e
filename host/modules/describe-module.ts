// What a module does, in words for people.
import type { LoadedHook, LoadedModule } from '../contract/loaded-module.ts'

/** `serves POST /shell/run`, `runs every 15 minutes`, `shows a chart`. */
export function describeModule(loaded: LoadedModule): string {
  switch (loaded.kind) {
    case 'command':
      return `serves ${loaded.command.route}`
    case 'hook':
      return describeHook(loaded)
    case 'view':
      return `shows ${loaded.view.title} (${loaded.view.view})`
    case 'pack':
      return `is the pack of its folder`
  }
}

function describeHook({ hook }: LoadedHook): string {
  if (hook.on) return `runs on ${hook.on.join(', ')}`
  if (hook.every) return `runs every ${hook.every}`
  if (hook.cron) return `runs at ${hook.cron}`
  return `decides before ${hook.before?.join(', ')}`
}
