import type { SeededRandom } from '../../../../test/support/seeded-random.ts';
import type { Restart, SessionReport } from '../index.ts';
import { at, report } from './scene.ts';

export type Message = SessionReport | Restart;

/** What a device really did: one use of a session id, and what the access server said of it. */
interface TrueSession {
  readonly bytes: number;
  readonly reports: readonly SessionReport[];
}

export interface History {
  /** By the session id, which the access server uses again and again. */
  readonly trueBytes: ReadonlyMap<string, number>;
  /** As said by the access server, in order. */
  readonly said: readonly Message[];
  /** Only one reading is possible when the reports arrive in this order, or in any if all have charging ids. */
  readonly isPlain: boolean;
}

export type Naming = 'all' | 'none' | 'some';

interface Habits {
  readonly nas: string;
  readonly naming: Naming;
  /** A session may begin in the second in which the one before ends, and have several reports in a second. */
  readonly sameSecond: boolean;
  readonly sessionsMax: number;
  readonly lines: number;
}

const SECOND = 1_000;

/** The life of a session id: a use, a pause that may be short, and the next use. */
function trueSessions(
  draw: SeededRandom,
  { nas, naming, sameSecond, sessionsMax }: Habits,
  {
    n,
    sessionId,
    restarts,
  }: { readonly n: number; readonly sessionId: string; readonly restarts: readonly number[] },
): TrueSession[] {
  const sessions: TrueSession[] = [];
  let second = draw.between(0, 300);
  // The end of the session before is known from its Stop or from a restart.
  let isEndKnown = true;
  for (let left = draw.between(1, sessionsMax); left > 0; left--) {
    const [first, planned] = [second, second + draw.between(2, 300)];
    const cut = restarts.find((restart) => restart >= first && restart <= planned && restart > first);
    const last = cut ?? planned;
    const moments = Array.from({ length: draw.between(1, 4) }, () =>
      draw.between(first + (sameSecond ? 0 : 1), last),
    );
    if (!sameSecond)
      for (const [place, moment] of moments.entries()) if (moment === last) moments[place] = last - 1;
    const seconds = [...new Set(moments)]
      .filter((moment) => sameSecond || moment > first)
      .toSorted((a, b) => a - b);
    const chargingId = draw.between(1, 2 ** 31);
    let [input, output] = [0, 0];
    const said = (kind: SessionReport['kind'], moment: number): SessionReport =>
      report({
        n,
        nas,
        kind,
        sessionId,
        atMs: at(0) + moment * SECOND,
        input,
        output,
        chargingId: naming === 'all' || (naming === 'some' && draw.next() < 0.5) ? chargingId : undefined,
      });
    const reports: SessionReport[] = [];
    if (!isEndKnown || draw.next() < 0.8) reports.push(said('start', first));
    for (const moment of seconds) {
      [input, output] = [input + draw.between(0, 1_000), output + draw.between(1, 1_000)];
      reports.push(said('interim', moment));
    }
    const hasStop =
      draw.next() < (cut === undefined ? 0.8 : 0.3) ||
      !seconds.some((moment) => moment > first && moment < last);
    if (hasStop) {
      [input, output] = [input + draw.between(0, 1_000), output + draw.between(1, 1_000)];
      reports.push(said('stop', last));
    }
    sessions.push({ bytes: input + output, reports });
    isEndKnown = hasStop || cut !== undefined;
    second = last + draw.pick(sameSecond ? [0, 0, 1, 60] : [1, 60]);
  }
  return sessions;
}

/** Draws what devices do on one access server, and what it says of them. */
export function drawHistory(draw: SeededRandom, habits: Habits): History {
  const restarts = Array.from({ length: draw.between(0, 2) }, () => draw.between(100, 900)).toSorted(
    (a, b) => a - b,
  );
  const trueBytes = new Map<string, number>();
  const said: { readonly second: number; readonly message: Message }[] = restarts.map((second) => ({
    second,
    message: { kind: 'restart', nas: habits.nas, atMs: at(0) + second * SECOND },
  }));
  for (let n = 0; n < habits.lines; n++) {
    const sessionId = `${n}`;
    const sessions = trueSessions(draw, habits, { n, sessionId, restarts });
    trueBytes.set(
      `${habits.nas} ${sessionId}`,
      sessions.reduce((sum, { bytes }) => sum + bytes, 0),
    );
    for (const { reports } of sessions)
      for (const message of reports) said.push({ second: (message.atMs - at(0)) / SECOND, message });
  }
  return {
    trueBytes,
    said: said.toSorted((a, b) => a.second - b.second).map(({ message }) => message),
    isPlain: habits.naming === 'all' || !habits.sameSecond,
  };
}

/** Messages in another order: in none, or each at most a few places late. Some come twice. */
export function delivered(
  draw: SeededRandom,
  said: readonly Message[],
  order: 'kept' | 'late' | 'any',
): Message[] {
  const late = said
    .map((message, place) => ({ message, place: place + draw.between(0, 5) }))
    .sort((a, b) => a.place - b.place)
    .map(({ message }) => message);
  const inOrder = { kept: [...said], late, any: draw.shuffle(said) }[order];
  return inOrder.flatMap((message) => (draw.next() < 0.2 ? [message, message] : [message]));
}
