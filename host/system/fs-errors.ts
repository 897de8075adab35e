// Recognizes errors of the file system by their code.

/** True when no file has that name: ENOENT, and `alsoCodes` where the caller treats more codes the same way. */
export function isNotFound(error: unknown, alsoCodes: readonly string[] = []): boolean {
  if (!(error instanceof Error && 'code' in error)) return false
  return error.code === 'ENOENT' || alsoCodes.includes(String(error.code))
}
