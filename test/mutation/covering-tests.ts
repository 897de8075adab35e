// Which test files cover a source file, those that are most likely to notice a change first.
import { basename, dirname } from 'node:path'
import { readSource, sourceFiles } from '../harness/source-files.ts'

/** The folders of test/ by the beginning of a source file's path; the longest beginning counts. */
const folders: Record<string, string[]> = {
  'host/': ['host/'],
  'host/access/': ['access/', 'cli/accounts'],
  'host/agent-program/': ['agent-program/'],
  'host/agents/': ['agents/', 'jobs/'],
  'host/api-docs/': ['api-docs/'],
  'host/boot/': ['boot/'],
  'host/cli/': ['cli/'],
  'host/cli/import-ogadmbd/': ['import-ogadmbd/'],
  'host/cluster/': ['cluster/'],
  'host/computers/': ['computers/', 'boot/record-changes'],
  'host/config/': ['config/', 'host/token-rotation', 'http/tls'],
  'host/console/': ['console/'],
  'host/event-stream/': ['event-stream/', 'access/scope-events'],
  'host/http/': ['http/', 'access/failed-credentials', 'access/audited-writes', 'system/metrics'],
  'host/images/': ['images/'],
  'host/jobs/': ['jobs/'],
  'host/modules/': ['modules/'],
  'host/schedules/': ['schedules/'],
  'host/system/': ['system/', 'host/'],
  'stores/': ['stores/memory', 'stores/', 'computers/', 'jobs/', 'access/users', 'images/'],
  'stores/lowdb/': ['stores/lowdb', 'stores/', 'host/kill', 'jobs/full-disk'],
  'stores/postgres/': ['stores/postgres', 'host/postgres-away'],
  'commands/': ['commands/'],
}

const testFiles = sourceFiles.filter(file => file.endsWith('.test.ts'))

/** Paths relative to the repository. */
export function testsOf(file: string): string[] {
  const beginning = Object.keys(folders)
    .filter(start => file.startsWith(start))
    .reduce((longest, start) => (start.length > longest.length ? start : longest), '')
  const inFolders = (folders[beginning] ?? []).flatMap(start =>
    testFiles.filter(test => test.startsWith(`test/${start}`)),
  )
  const ranks = new Map(testFiles.map(test => [test, rankOf(test, file)]))
  const naming = testFiles.filter(test => (ranks.get(test) ?? 0) >= 2)
  const withServer = beginning === 'stores/postgres/'
  return [...new Set([...inFolders, ...naming])]
    .filter(test => withServer || !test.startsWith('test/stores/postgres'))
    .sort((a, b) => (ranks.get(b) ?? 0) - (ranks.get(a) ?? 0))
}

/** 3 imports the file or uses its route, 2 is named after it, up to 1 has its name in its text. */
function rankOf(test: string, file: string): number {
  const name = basename(file, '.ts')
  const text = readSource(test)
  const route = file.startsWith('commands/') && /\broute: '([^']+)'/.exec(readSource(file))?.[1]
  if (text.includes(`/${basename(dirname(file))}/${name}.ts'`) || (route && text.includes(route))) return 3
  if (basename(test).startsWith(name)) return 2
  return Math.min(1, (text.split(name).length - 1) / 10)
}
