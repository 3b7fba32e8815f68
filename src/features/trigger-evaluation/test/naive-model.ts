import { type Cycle, cycleOf, dayFinder } from '../../../kernel/bill-cycle.ts';

/** A level by the rulings, one record at a time: the set-based evaluation must agree with it. */
export interface NaiveLevel {
  readonly trigger: string;
  readonly scope: 'device' | 'account' | 'sum';
  /** The accounts that it watches; for a sum, all of them together. */
  readonly accounts: readonly string[];
  readonly cycle: Cycle;
  /** For a sum: its name, and the account that defines its cycle. */
  readonly sum?: { readonly subject: string; readonly account: string };
  readonly kind: 'bytes' | 'percent' | 'suspendBytes';
  readonly level: number;
  readonly comparator: 'gt' | 'eq' | 'reach';
  readonly thresholdBytes: number;
}

export interface NaiveRecord {
  readonly id: string;
  readonly account: string;
  readonly device: string;
  readonly atMs: number;
  readonly bytes: number;
}

export interface NaiveFiring {
  readonly trigger: string;
  readonly subject: string;
  readonly kind: string;
  readonly level: number;
  readonly from: string;
  readonly before: number;
  readonly after: number;
  readonly record: string;
  readonly late: boolean;
}

export interface NaiveAccount {
  readonly timeZone: string;
  readonly billCycleDay: number;
}

const LATE_MS = 72 * 3_600_000;

export function makeModel(accounts: Readonly<Record<string, NaiveAccount>>) {
  const seen = new Set<string>();
  const usage: { account: string; device: string; day: string; bytes: number }[] = [];
  const fired = new Map<string, NaiveFiring>();
  const finders = new Map(Object.values(accounts).map(({ timeZone }) => [timeZone, dayFinder(timeZone)]));

  function take(record: NaiveRecord, levels: readonly NaiveLevel[], nowMs: number): void {
    if (seen.has(record.id)) return;
    seen.add(record.id);
    const day = finders.get(accounts[record.account]!.timeZone)!.dayAt(record.atMs);
    usage.push({ account: record.account, device: record.device, day, bytes: record.bytes });
    for (const level of levels) {
      if (!level.accounts.includes(record.account)) continue;
      const { timeZone, billCycleDay } = accounts[level.sum?.account ?? record.account]!;
      const { from, to } = cycleOf(level.cycle, day, billCycleDay);
      const { startOf } = finders.get(timeZone)!;
      const closesAtMs = startOf(to);
      if (nowMs >= closesAtMs + LATE_MS) continue;
      const after = usage
        .filter((u) => u.day >= from && u.day < to)
        .filter((u) =>
          level.scope === 'sum' ? level.accounts.includes(u.account) : u.account === record.account,
        )
        .filter((u) => level.scope !== 'device' || u.device === record.device)
        .reduce((sum, u) => sum + u.bytes, 0);
      const before = after - record.bytes;
      const { thresholdBytes: threshold } = level;
      const isBeyond =
        level.comparator === 'gt'
          ? after > threshold
          : level.comparator === 'reach'
            ? after >= threshold
            : before < threshold && threshold <= after;
      const subject =
        level.scope === 'sum'
          ? level.sum!.subject
          : level.scope === 'device'
            ? record.device
            : record.account;
      const opensAt = new Date(startOf(from)).toISOString();
      const key = [level.trigger, subject, level.kind, level.level, opensAt].join(' ');
      if (!isBeyond || fired.has(key)) continue;
      fired.set(key, {
        trigger: level.trigger,
        subject,
        kind: level.kind,
        level: level.level,
        from: opensAt,
        before,
        after,
        record: record.id,
        late: nowMs >= closesAtMs,
      });
    }
  }
  return { take, firings: () => [...fired.values()] };
}
