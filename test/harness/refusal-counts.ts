// Counts refused requests by status, as the metrics and the log of a daemon show them.

/** Numbers of requests by status. */
export type Counts = Record<string, number>
const statuses = ['400', '401', '403', '404', '405']

export const describeCounts = (counts: Counts): string =>
  statuses.map(status => `${counts[status] ?? 0} of ${status}`).join(', ')

/** How many more there are than before. */
export const difference = (after: Counts, before: Counts): Counts =>
  Object.fromEntries(Object.entries(after).map(([status, count]) => [status, count - (before[status] ?? 0)]))

/** From the response to `GET /metrics`. */
export function refusalsInMetrics(metrics: string): Counts {
  return sumByStatus(metrics.matchAll(/^fleet_request_seconds_count\{.*status="(?<status>4\d\d)".*\} (?<count>\d+)$/gm))
}

/** From log lines, with the refusals that one line stands for. */
export function refusalsInLog(log: string): Counts {
  const more = /(?:(?<count>\d+) more lines of this kind in one second, the last: )?/.source
  return sumByStatus(log.matchAll(new RegExp(`: ${more}\\S+ \\S+ from \\S+: (?<status>4\\d\\d), `, 'g')))
}

function sumByStatus(matches: Iterable<RegExpExecArray>): Counts {
  const counts: Counts = {}
  for (const { groups: { status = '', count = '1' } = {} } of matches) {
    counts[status] = (counts[status] ?? 0) + Number(count)
  }
  return counts
}
