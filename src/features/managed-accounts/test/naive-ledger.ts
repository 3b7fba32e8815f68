/** Computes users and payers from all uses each time: slow and obviously correct. */
export interface Use {
  readonly account: string;
  readonly service: string;
  readonly atMs: number;
}

interface Period {
  readonly account: string;
  readonly service: string;
  readonly primary: string;
  readonly fromMs: number;
  toMs: number;
}

const dayIn = (timeZone: string, atMs: number): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(atMs);

const countByName = (names: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
};

export function makeNaiveLedger(zones: Readonly<Record<string, string>>) {
  const uses: Use[] = [];
  const periods: Period[] = [];

  const lasting = (account: string, service?: string) =>
    periods.find(
      (period) =>
        period.account === account &&
        (service === undefined || period.service === service) &&
        period.toMs === Number.POSITIVE_INFINITY,
    );
  const managesAny = (account: string) =>
    periods.some(({ primary, toMs }) => primary === account && toMs === Number.POSITIVE_INFINITY);
  const payerOf = ({ account, service, atMs }: Use): string =>
    periods.find(
      (period) =>
        period.account === account &&
        period.service === service &&
        period.fromMs <= atMs &&
        atMs < period.toMs,
    )?.primary ?? account;

  const dayOf = (account: string, { atMs }: Use) => dayIn(zones[account]!, atMs);
  const ownOf = (account: string, service: string, isIn: (day: string) => boolean) =>
    uses.filter((use) => use.account === account && use.service === service && isIn(dayOf(account, use)))
      .length;
  const paidBy = (account: string, service: string, isIn: (day: string) => boolean) =>
    uses.filter((use) => payerOf(use) === account && use.service === service && isIn(dayOf(account, use)));

  return {
    use: (use: Use) => uses.push(use),
    primaryOf: (account: string, service: string) => lasting(account, service)?.primary,
    mayActivate: (account: string, primary: string, service: string) =>
      account !== primary &&
      lasting(account, service) === undefined &&
      !managesAny(account) &&
      lasting(primary) === undefined,
    activate: (account: string, primary: string, service: string, atMs: number) =>
      periods.push({ account, service, primary, fromMs: atMs, toMs: Number.POSITIVE_INFINITY }),
    cancel(account: string, service: string, atMs: number) {
      const period = lasting(account, service);
      if (period !== undefined) period.toMs = atMs;
    },

    /** As in the interface: by the days of the account that the report is about. */
    report(account: string, forAll: boolean, from: string, to: string) {
      const service = 'Location';
      const isIn = (day: string) => from <= day && day <= to;
      const own = ownOf(account, service, isIn);
      if (lasting(account, service) !== undefined)
        return { primary: undefined, managed: [[account, own]], total: own };
      if (!forAll) return { primary: own, managed: [], total: own };
      const paid = paidBy(account, service, isIn);
      const counts = countByName(paid.map((use) => use.account));
      for (const period of periods)
        if (period.primary === account && lasting(period.account, service) === period)
          counts.set(period.account, counts.get(period.account) ?? 0);
      const managed = [...counts].filter(([name]) => name !== account).sort();
      return { primary: counts.get(account) ?? 0, managed, total: paid.length };
    },

    statement(account: string, service: string, month: string) {
      const paid = paidBy(account, service, (day) => day.startsWith(month));
      const counts = [...countByName(paid.map((use) => use.account))].sort();
      const isOwn = ([name]: readonly [string, number]) => name === account;
      return [...counts.filter(isOwn), ...counts.filter((line) => !isOwn(line))];
    },

    /** The count that triggers and limits use. */
    used(account: string, service: string, nowMs: number) {
      const month = dayIn(zones[account]!, nowMs).slice(0, 7);
      const isIn = (day: string) => day.startsWith(month);
      return lasting(account, service) === undefined
        ? paidBy(account, service, isIn).length
        : ownOf(account, service, isIn);
    },
  };
}
