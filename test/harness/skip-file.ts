// Skips a test file whose tests need a program that the machine lacks; `test/run.ts` reports it and counts no failure.

/**
 * Programs that a machine may lack, and `root`: who may make namespaces and mount file systems. Every other reason for a
 * test that does not run is a failure.
 */
const optionalPrograms = [
  'chromium',
  'postgresql',
  'mariadb',
  'dnsmasq',
  'kea',
  'dpkg',
  'wine',
  'partclone',
  'qemu',
  'udpcast',
  'tc',
  'root',
] as const

/** Ends the process of a test file. To be called before its first suite. */
export function skipFile(program: (typeof optionalPrograms)[number]): never {
  console.log(`skipped: no ${program}`)
  process.exit(0)
}

/** The program for which the file with this output was skipped. */
export function missingProgramIn(output: string): string | undefined {
  return optionalPrograms.find(program => output.trim() === `skipped: no ${program}`)
}
