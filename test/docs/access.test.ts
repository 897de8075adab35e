// Compares the table of docs/access.md with the rights that commands declare.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal } from 'uvu/assert'
import type { LoadedCommand } from '../../host/contract/loaded-command.ts'
import { compareCommands } from '../harness/command-table.ts'
import { root } from '../harness/source-files.ts'
import { startTestHost } from '../harness/test-host.ts'

const lab = await startTestHost()
const test = suite('documentation of rights')
test.after(() => lab.stop())

/** What callers with limits may do with the command. */
function limitedUse({ access, clientKeys, command }: LoadedCommand): string {
  if (access === 'none' || command.scoped) return 'yes'
  return clientKeys.length > 0 ? 'its own computers' : 'no'
}

test('the table of docs/access.md has the rights of every built-in command', () => {
  const rows = readFileSync(join(root, 'docs/access.md'), 'utf8')
    .split('\n')
    .filter(line => /^\| `(GET|POST) \//.test(line))
  const expected = [...lab.host.registry.commands]
    .sort(compareCommands)
    .map(loaded => `| \`${loaded.command.route}\` | ${loaded.access} | ${limitedUse(loaded)} |`)
  equal(rows, expected)
})

test.run()
