// The console leaves out what the command line would do about a refusal or a warning.
import { suite } from 'uvu'
import { is } from 'uvu/assert'
import { withoutCommands } from '../../host/console/app/api/without-commands.ts'

const cases: [string, string, string][] = [
  ['an option', '10.1.1.5: expected a name, got none (fleet adopt --name)', '10.1.1.5: expected a name, got none'],
  [
    'one command for each of several jobs',
    'job 12 still waits on 5 computers: fleet job cancel 12; job 9 still waits on pc-1: fleet job cancel 9',
    'job 12 still waits on 5 computers; job 9 still waits on pc-1',
  ],
  [
    'what depends on something',
    'its address is that of pc-20; if it is that computer: fleet computer edit 10.1.1.20 --ip 10.1.1.77',
    'its address is that of pc-20',
  ],
  [
    'where to look',
    'its connections are refused: 3 unknown; see fleet doctor 10.1.1.5',
    'its connections are refused: 3 unknown',
  ],
  ['a text about the fleet', 'room: expected a room of the fleet, got 9', 'room: expected a room of the fleet, got 9'],
]

const test = suite('texts of the daemon in the console')

for (const [what, text, shown] of cases)
  test(`${what}: ${text}`, () => {
    is(withoutCommands(text), shown)
  })

test.run()
