import type { Restart, SessionReport } from '../index.ts';

interface Life {
  /** Its reports are later than this. */
  readonly after: number;
  input: number;
  output: number;
}

/** The usage of a session by the letter of the rules. It keeps all generations and searches them for each report. */
class SlowSession {
  readonly lives: Life[] = [];
  last = -Infinity;
  bytes = 0;

  hear(report: SessionReport, restarts: readonly number[]): void {
    const { kind, atMs, input, output } = report;
    const restart = Math.max(-Infinity, ...restarts);
    if (this.lives.length === 0) this.lives.push({ after: -Infinity, input: 0, output: 0 });
    else if (restart >= this.last && atMs > restart) this.lives.push({ after: restart, input: 0, output: 0 });
    else if (kind === 'start' && atMs > this.last) this.lives.push({ after: atMs, input: 0, output: 0 });
    this.last = Math.max(this.last, atMs);
    const fitting = this.lives.filter(({ after }) => atMs > after || (kind === 'start' && atMs === after));
    const life = fitting.at(-1);
    if (life === undefined || this.lives.indexOf(life) < this.lives.length - 2) return;
    for (const [direction, now] of [
      ['input', input],
      ['output', output],
    ] as const)
      if (now > life[direction]) {
        this.bytes += now - life[direction];
        life[direction] = now;
      }
  }
}

/** Applies the messages of access servers one at a time. */
export class SlowModel {
  readonly sessions = new Map<string, SlowSession>();
  readonly restarts = new Map<string, number[]>();

  hear(said: SessionReport | Restart): void {
    if (said.kind === 'restart') {
      this.restarts.set(said.nas, [...(this.restarts.get(said.nas) ?? []), said.atMs]);
      return;
    }
    const name = `${said.nas} ${said.sessionId}`;
    const session = this.sessions.get(name) ?? new SlowSession();
    this.sessions.set(name, session);
    session.hear(said, this.restarts.get(said.nas) ?? []);
  }

  counted(): Map<string, number> {
    return new Map(
      [...this.sessions].filter(([, { bytes }]) => bytes > 0).map(([name, { bytes }]) => [name, bytes]),
    );
  }
}
