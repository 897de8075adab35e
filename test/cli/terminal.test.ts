// What `fleet` writes to a terminal and to a pipe: colours, and text that could steer the terminal.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { createTerminal, paint } from '../../host/cli/terminal/terminal.ts'

/** A terminal on both streams that has these colours, or pipes; and what was written to each. */
function open(given: { isTTY?: boolean; colours?: boolean; columns?: number } = {}) {
  const { isTTY = false, colours = true, columns = 20 } = given
  const written = { out: '', error: '' }
  const stream = (name: keyof typeof written) => ({
    ...{ isTTY, columns, rows: 5, hasColors: () => colours },
    write(text: string) {
      written[name] += text
    },
  })
  return { written, ...createTerminal(stream('out'), stream('error')) }
}

const red = '\x1b[31mred\x1b[39m'
const test = suite('a terminal')

test('what is painted has colours on a terminal that has them, nowhere else', () => {
  const told = (given: Parameters<typeof open>[0]) => {
    const { written, print } = open(given)
    print(`${paint('red', 'red')} ${paint(undefined, 'plain')}`)
    return written.out
  }
  is(told({ isTTY: true }), `${red} plain\n`)
  is(told({ isTTY: true, colours: false }), 'red plain\n')
  is(told({}), 'red plain\n')
})

test('what a script printed cannot steer a terminal, and comes out of a pipe as it was', () => {
  const printed = 'one\r\n\x1b[2Jtwo\tthree\n'
  const [screen, pipe] = [open({ isTTY: true }), open()]
  for (const { pass } of [screen, pipe]) pass(printed)
  equal([screen.written.out, pipe.written.out], ['one\n�[2Jtwo\tthree\n', printed])
})

test('progress is a line that fits, and only for people', () => {
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

test('a screen is drawn from the first line on; a pipe has none', () => {
  const { screen, written } = open({ isTTY: true })
  screen?.show([paint('red', 'red'), 'plain'])
  equal([screen?.size(), written.out], [{ columns: 20, rows: 5 }, `\x1b[H${red}\x1b[K\nplain\x1b[K\x1b[J`])
  is(open().screen, undefined)
})

test.run()
