// Compares texts by their code points, as a database does by their bytes.

/** Code units of pairs, which stand for code points beyond all others. */
const isOfPair = (unit: number): boolean => unit >= 0xd800 && unit < 0xe000

/** Below 0 when `a` comes first. */
export function compareCodePoints(a: string, b: string): number {
  const end = Math.min(a.length, b.length)
  for (let at = 0; at < end; at += 1) {
    const [unitOfA, unitOfB] = [a.charCodeAt(at), b.charCodeAt(at)]
    if (unitOfA === unitOfB) continue
    return Number(isOfPair(unitOfA)) - Number(isOfPair(unitOfB)) || unitOfA - unitOfB
  }
  return a.length - b.length
}
