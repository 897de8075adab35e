// Recognizes errors of the file system by their code.

/** True when no file has that name: ENOENT, and `alsoCodes` where the caller treats more codes the same way. */
export function isNotFound(error: unknown, alsoCodes: readonly string[] = []): boolean {
  return hasCode(error, 'ENOENT', ...alsoCodes)
}

/** True for an error with one of these codes, such as EEXIST. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}
