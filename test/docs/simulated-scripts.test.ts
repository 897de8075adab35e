// The shell scripts that computers of the demo and of the simulated lab run, and what they say of others.
import { suite } from 'uvu'
import { equal } from 'uvu/assert'
import { runScript } from '../tools/simulator/scripts.ts'

const spec = { name: 'lab-r01-c01', ip: '127.10.1.1', mac: '02000a0101', number: 1 }
const test = suite('scripts of simulated computers')

const ran = (script: string) => {
  const { out = '', status = 0, seconds = 0 } = runScript(script, spec)
  return [out, status, seconds]
}

test('they run what they know line by line, and the last command is the exit code', () => {
  const script = `#!/bin/sh
# It doesn't do much.
echo "one; two" three # four
hostname; hostname -I
printf '%s is %s\\n' this "a test"
sleep 2
sleep 1m && false && echo never
`
  equal(ran(script), ['one; two three\nlab-r01-c01\n127.10.1.1\nthis is a test\n', 1, 62])
  equal(ran('true'), ['', 0, 0])
})

test('variables have their values, but not in single quotes', () => {
  equal(ran(`export what='one two'\nn=3\necho "$what" \${n}x '$n'`), ['one two 3x $n\n', 0, 0])
})

test('exit ends a script, and after set -e a failure does', () => {
  equal(ran('echo one\nexit 3\necho two'), ['one\n', 3, 0])
  equal(ran('set -e\nfalse\necho two'), ['', 1, 0])
  equal(ran('false\necho two'), ['two\n', 0, 0])
})

test('of other commands they say that they do not run them, and of a script with conditions as a whole', () => {
  const not = 'not run, as this computer is simulated:'
  equal(ran('apt-get update && echo done'), [`${not} apt-get update\ndone\n`, 0, 0])
  equal(ran('df -h | tail -1\necho "$HOME"'), [`${not} df -h | tail -1\n${not} echo "$HOME"\n`, 0, 0])
  equal(ran('if false; then\n  exit 1\nfi'), [`${not} if false; then …\n`, 0, 0])
})

test.run()
