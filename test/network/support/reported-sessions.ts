import { imsiOf } from './lines.ts';
import { packetOf } from './radclient.ts';

const STEPS = 20;
const SESSIONS_OF_LINE = 5;
const GIGAWORD = 2 ** 32;
const SPAN_S = 6_000;

const counter = (way: 'Input' | 'Output', bytes: number) => ({
  [`Acct-${way}-Octets`]: bytes % GIGAWORD,
  [`Acct-${way}-Gigawords`]: Math.floor(bytes / GIGAWORD),
});

const statusAt = (step: number): string =>
  step === 0 ? 'Start' : step === STEPS - 1 ? 'Stop' : 'Interim-Update';

/** Lines that have several consecutive sessions, each with a Start, many updates and a Stop. */
export function reportedSessions(reports: number) {
  const sessions = reports / STEPS;
  const lines = sessions / SESSIONS_OF_LINE;
  const startS = Math.floor(Date.now() / 1_000) - SPAN_S - 600;
  /** The count for a session up to a step. It exceeds 32 bits before the session ends. */
  const bytesAt = (line: number, turn: number, step: number) => ({
    input: step * (300_000_007 + line) + turn,
    output: step * 1_009,
  });

  function packetAt(line: number, turn: number, step: number): string {
    const { input, output } = bytesAt(line, turn, step);
    const place = turn * STEPS + step;
    return packetOf({
      'Acct-Status-Type': statusAt(step),
      'NAS-Identifier': `"gw-${line % 3}"`,
      'Acct-Session-Id': `"${line}-${turn}"`,
      '3GPP-IMSI': `"${imsiOf(line)}"`,
      'Called-Station-Id': '"iot.apn"',
      'Event-Timestamp': startS + Math.floor((place * SPAN_S) / (SESSIONS_OF_LINE * STEPS)),
      ...counter('Input', input),
      ...counter('Output', output),
    });
  }

  return {
    lines,
    sessions,
    /** In the order in which lines send them. */
    packets(): string[] {
      const all: string[] = [];
      for (let turn = 0; turn < SESSIONS_OF_LINE; turn++)
        for (let step = 0; step < STEPS; step++)
          for (let line = 0; line < lines; line++) all.push(packetAt(line, turn, step));
      return all;
    },
    /** The total usage of a line in all its sessions. */
    usedBy(line: number): number {
      let used = 0;
      for (let turn = 0; turn < SESSIONS_OF_LINE; turn++) {
        const { input, output } = bytesAt(line, turn, STEPS - 1);
        used += input + output;
      }
      return used;
    },
  };
}
