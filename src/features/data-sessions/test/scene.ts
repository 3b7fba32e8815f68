import { SMALL_FLEET, STRANGER } from '../../../../test/support/fleet.ts';
import { nobodyEvaluates } from '../../../../test/support/nobody-evaluates.ts';
import { makeWorld, type World } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';
import { concurrencyLimit } from '../../../platform/flow-control/limits.ts';
import { createSessionTaker, type SessionReport } from '../index.ts';

export { STRANGER };
export const ACCOUNT = '0000123456-00001';
export const NOON = new Date('2026-01-15T12:00:00Z');
const LINES = 12;
/** The last ones belong to another customer. */
const STRANGERS = 4;
export const imsiOf = (n: number): string => `00101${String(n).padStart(10, '0')}`;
export const imeiOf = (n: number): string => `9900000001${String(n).padStart(5, '0')}`;
export const at = (minute: number): number => NOON.getTime() - 6 * 3_600_000 + minute * 60_000;

export const POLICY = {
  keptDays: 400,
  evaluator: nobodyEvaluates,
  share: { limit: concurrencyLimit(2), aheadMs: 300_000, countGivenUp: () => {} },
  watch: { records: () => {}, batchSeconds: () => {} },
};

export const report = (fields: Partial<SessionReport> & { readonly n?: number } = {}): SessionReport => {
  const { n = 0, ...more } = fields;
  return {
    kind: 'interim',
    nas: 'gw-1',
    sessionId: `S${n}`,
    chargingId: undefined,
    atMs: at(1),
    device: { kind: 'imsi', value: imsiOf(n) },
    input: 0,
    output: 0,
    directionsSwapped: false,
    apn: 'iot.apn',
    rat: undefined,
    sgsn: undefined,
    ggsn: undefined,
    visited: undefined,
    imeisv: undefined,
    address: undefined,
    cell: undefined,
    terminateCause: undefined,
    ...more,
  };
};

export async function makeSessionWorld() {
  const world: World = await makeWorld();
  world.clock.holdAt(NOON);
  await world.import({
    ...SMALL_FLEET,
    devices: Array.from({ length: LINES }, (_, n) => ({
      accountName: n < LINES - STRANGERS ? ACCOUNT : STRANGER,
      imei: imeiOf(n),
      imsi: imsiOf(n),
      msisdn: `1555${String(n).padStart(7, '0')}`,
      servicePlan: 'P-5MB',
      planSince: '2025-12-20T00:00:00Z',
    })),
  });
  const { db } = world.ctx;
  const failures: string[] = [];
  return {
    ...world,
    failures,
    lines: LINES,
    taker: (ctx = world.ctx, limits = {}) =>
      createSessionTaker(ctx, {
        policy: POLICY,
        realNow: () => NOON,
        limits,
        onFailure: (reason) => void failures.push(reason),
      }),
    /** The bytes that the ledger has for each session, in all profiles. */
    async counted(): Promise<Map<string, number>> {
      const rows = await db.many<{ name: string; bytes: number }>(sql`
        select s.nas || ' ' || s.session_id as name, sum(r.bytes)::float8 as bytes from usage_record r
        join (select distinct session_key, nas, session_id from data_session) s
          on r.record_id like 'radius-' || s.session_key || '-%'
        group by 1`);
      return new Map(rows.map(({ name, bytes }) => [name, bytes]));
    },
    async total(): Promise<number> {
      const { bytes } = await db.one<{ bytes: number }>(
        sql`select coalesce(sum(bytes), 0)::float8 as bytes from usage_record`,
      );
      return bytes;
    },
    async differences(): Promise<unknown[]> {
      const found: unknown[] = [];
      for (const accountName of [ACCOUNT, STRANGER])
        found.push(
          ...(await world.operator('GET', `/usage/differences?accountName=${accountName}`)).json()
            .differences,
        );
      return found;
    },
    sessions: async (n: number) =>
      (await world.operator('GET', `/sessions?kind=imsi&device=${imsiOf(n)}`)).json(),
  };
}
