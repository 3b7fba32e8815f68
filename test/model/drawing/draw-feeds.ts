import type { SeededRandom } from '../../support/seeded-random.ts';
import { type Account, AHEAD_MS, type Case, type Usage } from '../case.ts';
import { type CycleKind, cycleOf, DAY_MS, dayAfter, dayAt, HOUR_MS, startOf } from '../reference/calendar.ts';

/** Further ahead of the clock than any network element may be. */
const FAR_AHEAD_MS = 6 * 60_000;

export type Shape = 'one day' | 'many days' | 'late' | 'edges';
export const SHAPES: readonly Shape[] = ['one day', 'many days', 'many days', 'many days', 'late', 'edges'];

/** When a line joins another account or leaves for good, if the case has such an event. */
export interface Turn {
  readonly line: number;
  readonly at: number;
}

interface Drawing {
  readonly random: SeededRandom;
  readonly fleet: Pick<Case, 'accounts' | 'lines'>;
  readonly turns: readonly Turn[];
  /** All zones and bill days that accounts have had. */
  readonly settings: readonly Pick<Account, 'timeZone' | 'billDay'>[];
}

/** At such a moment, next to it, or some time before it: late records count for the owner at their time. */
function drawAround({ random, turns }: Drawing, line: number, now: number): number | undefined {
  const own = turns.filter((turn) => turn.line === line);
  if (own.length === 0 || random.next() < 0.4) return undefined;
  const before = random.between(1, random.pick([HOUR_MS, 2 * DAY_MS, 20 * DAY_MS]));
  return Math.min(now, random.pick(own).at + random.pick([-1, 0, 1, HOUR_MS, -before, -before, -before]));
}

/** The first or last moment of a cycle of the line's account, and adjacent moments. */
function drawEdge({ random, fleet, turns, settings }: Drawing, line: number, now: number): number {
  const first = fleet.accounts[fleet.lines[line]!.account]!;
  const isMoved = turns.some((turn) => turn.line === line);
  const isShifted = settings.length > fleet.accounts.length;
  const { timeZone, billDay } = isMoved || isShifted ? random.pick(settings) : first;
  const kind: CycleKind = random.pick(['Daily', 'Weekly', 'Monthly', 'Monthly']);
  const span = cycleOf(kind, dayAt(timeZone, now), billDay);
  const before = cycleOf(kind, dayAfter(span.from, -1), billDay);
  const edge = startOf(timeZone, random.pick([span.from, span.from, before.from]));
  return edge + random.pick([-1, 0, 0, 1]);
}

function drawTime(drawing: Drawing, shape: Shape, line: number, now: number): number {
  const { random } = drawing;
  if (random.next() < 0.03) return now + FAR_AHEAD_MS + random.between(0, DAY_MS);
  if (random.next() < 0.05) return now + random.between(1, AHEAD_MS);
  const around = drawAround(drawing, line, now);
  if (around !== undefined) return around;
  switch (shape) {
    case 'one day':
      return now - random.between(0, 6 * HOUR_MS);
    case 'many days':
      return now - random.between(0, random.pick([2, 3, 6, 9, 40]) * DAY_MS);
    case 'late':
      return now - random.between(0, random.pick([2, 5, 80]) * DAY_MS);
    case 'edges':
      return random.next() < 0.8 ? Math.min(now, drawEdge(drawing, line, now)) : now;
  }
}

const drawBytes = (random: SeededRandom) =>
  random.pick([
    0,
    1,
    1_024,
    1_024 * random.between(1, 8),
    1_024 * random.between(1, 8),
    random.between(1, 9_000),
    random.between(1, 9_000),
    random.between(1, 9_000),
    random.between(1, 60_000),
  ]);

/** Fields that only bills use. */
function drawBilled(random: SeededRandom) {
  const charge = random.pick([undefined, undefined, '0', '0.005', '1.015', '0.123456789012', '7']);
  return {
    ...(random.next() < 0.7 && { apn: random.pick(['iot.apn', 'other.apn']) }),
    ...(random.next() < 0.7 && { ratingGroup: random.pick(['100', '200']) }),
    ...(random.next() < 0.7 && { country: random.pick(['USA', 'CAN', 'MEX']) }),
    ...(charge !== undefined && { charge }),
  };
}

/** Records of a feed. Some earlier record ids are repeated with other content. */
export function drawRecords(
  drawing: Drawing,
  { now, shape, sent }: { readonly now: number; readonly shape: Shape; readonly sent: Usage[] },
): readonly Usage[] {
  const { random, fleet } = drawing;
  const count = random.pick([1, 2, 3, 4, 6, 9, 12]);
  // A feed of one line is as likely as one of all.
  const only = random.next() < 0.5 ? random.between(0, fleet.lines.length - 1) : undefined;
  const records: Usage[] = [];
  for (let n = 0; n < count; n++) {
    const known = sent.length > 0 && random.next() < 0.06 ? random.pick(sent) : undefined;
    const line = only ?? random.between(0, fleet.lines.length - 1);
    const id = known?.id ?? `r${String(random.between(0, 999)).padStart(3, '0')}-${sent.length}`;
    const usage = {
      id,
      line: random.next() < 0.02 ? -1 : line,
      at: known?.at ?? drawTime(drawing, shape, line, now),
      bytes: drawBytes(random),
      ...drawBilled(random),
      ...(random.next() < 0.03 && { fota: true as const }),
    };
    records.push(usage);
    sent.push(usage);
  }
  return random.next() < 0.5 ? records.toSorted((a, b) => a.at - b.at) : records;
}
