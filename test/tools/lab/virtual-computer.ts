// A computer with UEFI and Secure Boot, or with BIOS, an empty disk and a network card from which it boots.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { macOf, tapOf } from './lab-network.ts'

const firmware = '/usr/share/OVMF'
/** Of the disk. */
const diskBytes = 2 * 1024 ** 3

export type Firmware = 'uefi' | 'uefi-http' | 'bios'

/** It does not try PXE first. */
const onlyHttp = [4, 6].map(version => `-fw_cfg name=opt/org.tianocore/IPv${version}PXESupport,string=n`)

const fileOf = (folder: string, number: number, name: string) => join(folder, `pc${number}-${name}`)

/** A new one; `master`: the disk that it is a copy of, by default an empty one. */
export function makeDisk(folder: string, number: number, master?: string): void {
  const disk = fileOf(folder, number, 'disk.img')
  rmSync(disk, { force: true })
  if (master === undefined) writeFileSync(disk, '')
  else execFileSync('cp', ['--sparse=always', master, disk])
  truncateSync(disk, diskBytes)
}

export type VirtualComputer = ReturnType<typeof startComputer>

/** Powered on, with the disk of its number. Its files are in the folder. */
export function startComputer(folder: string, number: number, kind: Firmware = 'uefi') {
  const file = (name: string) => fileOf(folder, number, name)
  const [disk, monitor] = [file('disk.img'), file('monitor')]
  rmSync(monitor, { force: true })
  const isUefi = kind !== 'bios'
  const line = [
    '-machine q35,smm=on -accel tcg,thread=multi -smp 1 -m 2048 -display none',
    ...(isUefi ? secureBoot(file('variables.fd')) : []),
    ...(kind === 'uefi-http' ? onlyHttp : []),
    `-netdev tap,id=net,ifname=${tapOf(number)},script=no,downscript=no`,
    // With the network ROM of QEMU, the signed loader does not start; BIOS has no other one.
    `-device virtio-net-pci,netdev=net,bootindex=0${isUefi ? ',romfile=' : ''},mac=${macOf(number)}`,
    `-drive if=none,id=disk,file=${disk},format=raw -device virtio-blk-pci,drive=disk,bootindex=1`,
    `-monitor unix:${monitor},server,nowait`,
  ]
  const program = spawn('qemu-system-x86_64', line.join(' ').split(' '), { stdio: 'inherit' })
  return {
    ended: once(program, 'close'),
    /** As when its plug is pulled. */
    kill: () => void program.kill('SIGKILL'),
    /** Takes a picture of its screen: a file with this name. */
    screenshot: (name: string) => tell(monitor, `screendump ${file(`${name}.png`)} -f png`),
  }
}

/** `variables`: the file of the firmware's settings, with the keys of Secure Boot. */
function secureBoot(variables: string): string[] {
  copyFileSync(join(firmware, 'OVMF_VARS_4M.ms.fd'), variables)
  return [
    '-global driver=cfi.pflash01,property=secure,value=on',
    `-drive if=pflash,format=raw,unit=0,readonly=on,file=${join(firmware, 'OVMF_CODE_4M.ms.fd')}`,
    `-drive if=pflash,format=raw,unit=1,file=${variables}`,
  ]
}

/** Resolves when the monitor has done what the line says. */
function tell(monitor: string, line: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(monitor)
    let prompts = 0
    socket.setEncoding('latin1').on('data', text => {
      prompts += text.toString().split('(qemu) ').length - 1
      if (prompts === 1) socket.write(`${line}\n`)
      if (prompts > 1) socket.end()
    })
    socket.on('error', reject).on('close', () => resolve())
  })
}
