export interface Turns {
  readonly ours: readonly number[];
  /** Results of the same rounds, in the same order. */
  readonly against: readonly number[];
}

/**
 * Runs both alternately after one warm-up round each; each round begins with the side that was second before. Ours warms up
 * first, so that the comparison can write the same data again.
 */
export async function inTurns(
  rounds: number,
  ours: (round: number) => Promise<number>,
  theirs: (round: number) => Promise<number>,
): Promise<Turns> {
  await ours(0);
  await theirs(0);
  const measured = { ours: [] as number[], against: [] as number[] };
  for (let round = 1; round <= rounds; round++) {
    if (round % 2 === 1) measured.ours.push(await ours(round));
    measured.against.push(await theirs(round));
    if (round % 2 === 0) measured.ours.push(await ours(round));
  }
  return measured;
}
