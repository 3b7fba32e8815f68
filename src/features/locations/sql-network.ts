import type { Db } from '../../platform/db/db.ts';
import { sql } from '../../platform/db/sql.ts';

/** How the simulated network as a whole behaves: it answers, answers that it cannot, or does not answer. */
export const NETWORK_CONDITIONS = ['normal', 'refusing', 'unreachable'] as const;
export type NetworkCondition = (typeof NETWORK_CONDITIONS)[number];

export const findNetworkCondition = async (db: Db): Promise<NetworkCondition> =>
  (await db.maybe<{ condition: NetworkCondition }>(sql`select condition from simulated_network`))
    ?.condition ?? 'normal';

export const setNetworkCondition = (db: Db, condition: NetworkCondition) =>
  db.exec(sql`
    insert into simulated_network (condition) values (${condition})
    on conflict (only_row) do update set condition = excluded.condition`);
