import type { Db } from '../db/db.ts';
import { sql } from '../db/sql.ts';
import { type Chance, trueChance } from './chance.ts';
import { seededChance } from './seeded-chance.ts';

/** The epoch is kept in the database, so that no process repeats values that another has drawn. */
const raiseEpoch = (db: Db): Promise<number> =>
  db.value<number>(sql`
    insert into domain_clock (offset_ms, seed_epoch) values (0, 1)
    on conflict (only_row) do update set seed_epoch = domain_clock.seed_epoch + 1
    returning seed_epoch as epoch`);

/** Uses the seed, if there is one; production has none. */
export const openChance = async (db: Db, seed: string | undefined): Promise<Chance> =>
  seed === undefined ? trueChance : seededChance(seed, await raiseEpoch(db));
