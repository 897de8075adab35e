// The limited log: which lines are written, and the line that counts the others.
import { suite } from 'uvu'
import { equal } from 'uvu/assert'
import { createLog } from '../../host/log/log.ts'
import { limitLog } from '../../host/log/throttled-log.ts'
import { pollUntil } from '../harness/poll.ts'

const test = suite('limited log')

test('of many lines of one kind the first are written, and one line counts the others after a second', async () => {
  const lines: string[] = []
  const log = limitLog(
    createLog(text => lines.push(text.slice(25).split('\n')[0] ?? '')),
    { perSecond: 2 },
  )
  for (let line = 1; line <= 100; line += 1) log('10.0.0.1 ignored').info('agent 10.0.0.1', `reply ${line}`)
  log('10.0.0.1 closed').warn('agent 10.0.0.1', 'closed')
  log('10.0.0.2 ignored').error('agent 10.0.0.2', 'failed', new Error('full'))
  const written = [
    'info  agent 10.0.0.1: reply 1',
    'info  agent 10.0.0.1: reply 2',
    'warn  agent 10.0.0.1: closed',
    'error agent 10.0.0.2: failed: full',
  ]
  equal(lines, written)
  await pollUntil(() => lines.length > written.length)
  equal(lines.slice(written.length), [
    'info  agent 10.0.0.1: 98 more lines of this kind in one second, the last: reply 100',
  ])
  log('10.0.0.1 ignored').info('agent 10.0.0.1', 'reply again')
  equal(lines.at(-1), 'info  agent 10.0.0.1: reply again')
})

test.run()
