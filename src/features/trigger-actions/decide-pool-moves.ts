/** A line that can be moved, with the allowances of its plan and of the other plan. */
export interface PoolLine {
  readonly deviceId: string;
  readonly usedBytes: number;
  readonly allowanceBytes: number;
  readonly newAllowanceBytes: number;
}

export interface Pool {
  readonly usedBytes: number;
  readonly allowanceBytes: number;
  /** The required free part of the pool, in percent of the used bytes. */
  readonly bufferPercent: number;
}

export type Direction = 'above' | 'below';

/** The allowance that the pool needs for its buffer. */
export const neededBytes = ({ usedBytes, bufferPercent }: Pool): number =>
  usedBytes + (usedBytes * bufferPercent) / 100;

const byId = (a: PoolLine, b: PoolLine) => (a.deviceId < b.deviceId ? -1 : 1);
const overage = ({ usedBytes, allowanceBytes }: PoolLine) => usedBytes - allowanceBytes;

/** Upward: largest overage first, until the buffer is restored or no remaining line helps. */
function upward<L extends PoolLine>(pool: Pool, lines: readonly L[]): readonly L[] {
  const needed = neededBytes(pool);
  const moved: L[] = [];
  let allowed = pool.allowanceBytes;
  for (const line of lines.toSorted((a, b) => overage(b) - overage(a) || byId(a, b))) {
    if (allowed >= needed) break;
    const gained = line.newAllowanceBytes - line.allowanceBytes;
    if (gained <= 0) continue;
    moved.push(line);
    allowed += gained;
  }
  return moved;
}

/** Downward: smallest usage first, while the buffer stays complete. */
function downward<L extends PoolLine>(pool: Pool, lines: readonly L[]): readonly L[] {
  const needed = neededBytes(pool);
  const moved: L[] = [];
  let allowed = pool.allowanceBytes;
  for (const line of lines.toSorted((a, b) => a.usedBytes - b.usedBytes || byId(a, b))) {
    const lost = line.allowanceBytes - line.newAllowanceBytes;
    if (lost <= 0) continue;
    if (allowed - lost < needed) break;
    moved.push(line);
    allowed -= lost;
  }
  return moved;
}

/** The lines of a shared pool that change plans, in order. */
export const decidePoolMoves = <L extends PoolLine>(
  direction: Direction,
  pool: Pool,
  lines: readonly L[],
): readonly L[] => (direction === 'above' ? upward(pool, lines) : downward(pool, lines));
