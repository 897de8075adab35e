// How often a hook or a view ran, and how long it kept the daemon busy, in words.
import { formatNumber, t } from '../../language/translate.ts'

interface Runs {
  runs: number
  failures: number
  mean_ms?: number
  longest_ms?: number
}

export function runWords({ runs, failures, mean_ms: mean, longest_ms: longest }: Runs): string[] {
  return [
    t('hooks.runs', { n: runs }),
    ...(failures > 0 ? [t('schedules.firing.failed', { n: failures })] : []),
    ...(mean === undefined ? [] : [t('hooks.time', { mean: shown(mean), longest: shown(longest ?? mean) })]),
  ]
}

const shown = (milliseconds: number) => formatNumber(Number(milliseconds.toPrecision(2)))
