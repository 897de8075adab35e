// What `fleet` writes to a terminal and to a pipe: colours, control characters, progress and full screens.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { createTerminal, onOneLine, paint } from '../../host/cli/terminal/terminal.ts'

interface Device {
  isTTY?: boolean
  colours?: boolean
  columns?: number
}

/** A terminal whose two streams are this device, and what was written to each. */
function open({ isTTY = false, colours = true, columns = 20 }: Device = {}) {
  const written = { out: '', error: '' }
  const stream = (name: keyof typeof written) => ({
    isTTY,
    columns,
    rows: 5,
    hasColors: () => colours,
    write(text: string) {
      written[name] += text
    },
  })
  return { written, ...createTerminal(stream('out'), stream('error')) }
}

const red = '\x1b[31mred\x1b[39m'
const test = suite('terminal')

test('painted text has colours only on a terminal with colours', () => {
  const printed = (device: Device) => {
    const { written, print } = open(device)
    print(`${paint('red', 'red')} ${paint(undefined, 'plain')}`)
    return written.out
  }
  is(printed({ isTTY: true }), `${red} plain\n`)
  is(printed({ isTTY: true, colours: false }), 'red plain\n')
  is(printed({}), 'red plain\n')
})

test('the output of a script has no control characters on a terminal and is unchanged in a pipe', () => {
  const output = 'one\r\n\x1b[2Jtwo\tthree\n'
  const [screen, pipe] = [open({ isTTY: true }), open()]
  for (const { printUntrusted } of [screen, pipe]) printUntrusted(output)
  equal([screen.written.out, pipe.written.out], ['one\n�[2Jtwo\tthree\n', output])
})

// C1 controls, which some terminals obey as they do ESC [, the delete character, and the override of the direction.
const steering = 'a\x9b2J\x7f\u202eb'

test('JSON has control characters and direction overrides escaped on a terminal, and is unchanged in a pipe', () => {
  const [screen, pipe] = [open({ isTTY: true }), open()]
  for (const { printJson } of [screen, pipe]) printJson({ name: `${steering}ü` })
  is(screen.written.out, '{\n  "name": "a\\u009b2J\\u007f\\u202ebü"\n}\n')
  equal(JSON.parse(screen.written.out), { name: `${steering}ü` })
  equal(pipe.written.out, `${JSON.stringify({ name: `${steering}ü` }, null, 2)}\n`)
})

test('errors, output of scripts and cells of tables cannot steer the terminal either', () => {
  const { written, printError, printUntrusted } = open({ isTTY: true })
  printError(steering)
  printUntrusted(steering)
  equal([written.error, written.out], ['a�2J��b\n', 'a�2J��b'])
  is(onOneLine(steering), 'a 2J b')
})

test('progress is cut to one line on a terminal and not written to a pipe', () => {
  const [screen, pipe] = [open({ isTTY: true, columns: 8 }), open()]
  for (const { progress } of [screen, pipe]) progress('████░░░░ 4/8')
  equal(
    [screen.written, pipe.written],
    [
      { out: '', error: '\r\x1b[K████░░░' },
      { out: '', error: '' },
    ],
  )
})

test('a screen is drawn from its first row on, and a pipe has no screen', () => {
  const { screen, written } = open({ isTTY: true })
  screen?.show([paint('red', 'red'), 'plain'])
  equal([screen?.size(), written.out], [{ columns: 20, rows: 5 }, `\x1b[H${red}\x1b[K\nplain\x1b[K\x1b[J`])
  is(open().screen, undefined)
})

test.run()
