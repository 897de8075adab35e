// Measures two versions in turns, so that what else the machine does concerns both.

/** What each version costs in a round. */
export interface RoundCosts<Cost> {
  base: Cost
  present: Cost
}

/** The first `warmUpRounds` are not counted: the code is compiled meanwhile. */
export async function inTurns<Cost>(
  { rounds, warmUpRounds }: { rounds: number; warmUpRounds: number },
  costOfBase: () => Promise<Cost>,
  costOfPresent: () => Promise<Cost>,
): Promise<RoundCosts<Cost>[]> {
  const costs: RoundCosts<Cost>[] = []
  for (let round = -warmUpRounds; round < rounds; round += 1) {
    // Which one is first alternates: the memory that the first leaves is collected in the time of the second.
    const isBaseFirst = round % 2 === 0
    const first = await (isBaseFirst ? costOfBase() : costOfPresent())
    const second = await (isBaseFirst ? costOfPresent() : costOfBase())
    if (round >= 0) costs.push(isBaseFirst ? { base: first, present: second } : { base: second, present: first })
  }
  return costs
}
