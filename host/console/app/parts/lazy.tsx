// A component whose script is loaded when it is first needed; until then nothing is shown of it.
import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { connection } from '../state/event-stream.ts'
import type { Script } from '../state/scripts.ts'

export type LazyComponent = ComponentType & Pick<Script<unknown>, 'load'>

export function lazy<Name extends string>(
  { module, load }: Script<Readonly<Record<Name, ComponentType>>>,
  name: Name,
): LazyComponent {
  function Lazy() {
    const View: ComponentType | undefined = module.value?.[name]
    // Tried again when the connection changes.
    const attempt = View ? undefined : connection.value
    useEffect(() => void load(), [attempt])
    return View ? <View /> : null
  }
  return Object.assign(Lazy, { load })
}
