// Texts that a column of PostgreSQL cannot have, such as NUL and halves of surrogate pairs.
import { suite } from 'uvu'
import { is } from 'uvu/assert'
import { decodeText, encodeText } from '../../stores/postgres/text.ts'

const test = suite('texts in PostgreSQL')

test('a text that needs no escape is stored as it is', () => {
  for (const text of ['', 'plain', 'línea\n\t', '\u{1f600}']) is(encodeText(text), text)
})

test('NUL, a half of a surrogate pair and the escape character are stored as four hexadecimal digits', () => {
  is(encodeText('a\0b'), 'a\uffff0000b')
  is(encodeText('\ud83d'), '\uffffd83d')
  is(encodeText('\udfff!'), '\uffffdfff!')
  is(encodeText('\uffff'), '\uffffffff')
})

test('every text is read as it was written', () => {
  for (const text of ['', 'a\0b', '\ud83dx', 'x\ude00', '\ude00\ud83d', '\u{1f600}\0', '\uffff0000', '\uffff\uffff']) {
    is(decodeText(encodeText(text)), text)
  }
})

test.run()
