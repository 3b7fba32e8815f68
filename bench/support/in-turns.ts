export interface Turns {
  readonly ours: readonly number[];
  /** Of the same rounds, in the same order. */
  readonly against: readonly number[];
}

/**
 * Both in turns after one round each to warm up; every round begins with the other one. Ours warms up first, so that what
 * is compared with may write again what ours wrote.
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
