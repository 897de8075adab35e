// A switch in a network namespace, a server at it, and computers in namespaces of their own, for udp-sender and udp-receiver.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

function ip(...words: string[]): string {
  const { status, stdout, stderr } = spawnSync('ip', words, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`ip ${words.join(' ')}: ${stderr}`)
  return stdout
}

/** The programs keep their process ids, and have the addresses of the network in place of those of the loopback. */
const script = (namespace: string, address: string, program: string, pids: string) => `#!/bin/sh
echo $$ >> ${pids}
exec ip netns exec ${namespace} ${program} "$@" --interface ${address}
`

/** From then on this process starts the server's udp-sender. */
export function startMulticastNetwork(computers: number) {
  const folder = mkdtempSync(join(tmpdir(), 'multicast-'))
  const nameOf = (number: number) => `fleet-mc-${process.pid}-${number}`
  const server = nameOf(0)
  const pids = join(folder, 'senders')
  const { PATH = '' } = process.env
  writeFileSync(pids, '')
  ip('netns', 'add', server)
  ip('-n', server, 'link', 'add', 'switch', 'type', 'bridge')
  ip('-n', server, 'link', 'set', 'switch', 'up')
  ip('-n', server, 'address', 'add', '10.78.0.100/24', 'dev', 'switch')
  for (let number = 1; number <= computers; number += 1) {
    ip('netns', 'add', nameOf(number))
    const cable = ['type', 'veth', 'peer', 'name', 'eth0', 'netns', nameOf(number)]
    ip('-n', server, 'link', 'add', `port${number}`, ...cable)
    ip('-n', server, 'link', 'set', `port${number}`, 'master', 'switch', 'up')
    ip('-n', nameOf(number), 'link', 'set', 'eth0', 'up')
    ip('-n', nameOf(number), 'address', 'add', `10.78.0.${number}/24`, 'dev', 'eth0')
  }
  writeFileSync(join(folder, 'udp-sender'), script(server, '10.78.0.100', '/usr/bin/udp-sender', pids))
  chmodSync(join(folder, 'udp-sender'), 0o755)
  process.env.PATH = `${folder}${delimiter}${PATH}`
  return {
    /** The text of the program for a computer, from 1; it writes its process id into the file. */
    receiver: (number: number, file: string) =>
      script(nameOf(number), `10.78.0.${number}`, '/usr/bin/udp-receiver', file),
    /** The process ids of those that were started, the newest last. */
    senders: () => readFileSync(pids, 'utf8').trim().split('\n').filter(Boolean).map(Number),
    /** Bytes that the server has put on its cable. */
    sentBytes: () => Number(JSON.parse(ip('-n', server, '-s', '-j', 'link', 'show', 'switch'))[0].stats64.tx.bytes),
    stop() {
      process.env.PATH = PATH
      for (let number = 0; number <= computers; number += 1) ip('netns', 'delete', nameOf(number))
      rmSync(folder, { recursive: true })
    },
  }
}
