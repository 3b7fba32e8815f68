import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { casesOf } from '../../../../test/support/cases.ts';
import { randomFor } from '../../../../test/support/seeded-random.ts';
import { addReport, NOTHING_SEEN } from '../session-state.ts';
import { delivered, drawHistory, type Message } from './slow-model.ts';

/** What all messages about one session id add, and how much of it is doubtful. */
function countAll(messages: readonly Message[]): { counted: number; doubtful: number } {
  let state = NOTHING_SEEN;
  const restarts: number[] = [];
  const added = new Map<string, { bytes: number; doubtful: number }>();
  for (const message of messages) {
    // A restart that was overtaken is followed by the newest report, once more.
    const newest = state.reports.toSorted((a, b) => b.atMs - a.atMs)[0];
    if (message.kind === 'restart') restarts.push(message.atMs);
    const report =
      message.kind === 'restart'
        ? newest && { ...newest, chargingId: newest.chargingId ?? undefined, terminateCause: undefined }
        : message;
    if (report === undefined) continue;
    const { state: next, bytes, doubtful, mark } = addReport(state, report, restarts);
    state = next;
    // Usage has each record once.
    const record = `${mark} ${report.atMs}`;
    if (bytes + doubtful > 0 && !added.has(record)) added.set(record, { bytes, doubtful });
  }
  const sum = (of: 'bytes' | 'doubtful') => [...added.values()].reduce((total, one) => total + one[of], 0);
  return { counted: sum('bytes'), doubtful: sum('doubtful') };
}

describe('the reading of reports about a session id that is used again', () => {
  // proves usage/doubtful-usage
  for (const naming of ['all', 'some', 'none'] as const)
    for (const order of ['kept', 'late', 'any'] as const)
      it(`loses no byte of many uses that share their seconds: ${naming} with charging ids, order ${order}`, () => {
        const random = randomFor(`reading ${naming} ${order}`);
        for (let round = 0; round < casesOf({ everyday: 60, all: 600 }); round++) {
          const draw = random.fork(String(round));
          const sessionsMax = draw.pick(order === 'any' ? [4] : [4, 25]);
          const { trueBytes, said } = drawHistory(draw, {
            ...{ nas: 'nas', naming, sameSecond: true, sessionsMax, lines: 1 },
          });
          for (const [id, bytes] of trueBytes) {
            const its = said.filter((one) => one.kind === 'restart' || `nas ${one.sessionId}` === id);
            const { counted, doubtful } = countAll(delivered(draw, its, order));
            assert.ok(counted >= bytes, `${id} of round ${round}: ${counted} of ${bytes}`);
            assert.ok(
              counted - bytes <= doubtful,
              `${id} of round ${round}: ${counted} of ${bytes}, ${doubtful}`,
            );
          }
        }
      });
});
