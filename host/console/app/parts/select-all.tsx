// A box that selects and clears what the filter shows of a list of computers.
import { computed } from '@preact/signals'
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { isShown } from '../state/filter.ts'
import type { ComputerView } from '../state/lab.ts'
import { select } from '../state/selection.ts'

export function SelectAll({ computers, label }: { computers: readonly ComputerView[]; label: string }) {
  const box = useRef<HTMLInputElement>(null)
  const shown = useMemo(() => computed(() => computers.filter(isShown)), [computers])
  const count = useMemo(() => computed(() => shown.value.filter(({ selected }) => selected.value).length), [shown])
  const isAll = count.value > 0 && count.value === shown.value.length
  useLayoutEffect(() => {
    if (box.current) box.current.indeterminate = count.value > 0 && !isAll
  })
  return (
    <input
      ref={box}
      type="checkbox"
      checked={isAll}
      disabled={computers.length === 0}
      aria-label={label}
      onChange={() => select(shown.value, isAll ? 'remove' : 'add')}
    />
  )
}
