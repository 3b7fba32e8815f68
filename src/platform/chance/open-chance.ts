import type { Db } from '../db/db.ts';
import { sql } from '../db/sql.ts';
import { type Chance, trueChance } from './chance.ts';
import { seededChance } from './seeded-chance.ts';

/** Kept in the database: a process never draws again what another has drawn before it. */
const raiseEpoch = (db: Db): Promise<number> =>
  db.value<number>(sql`
    insert into domain_clock (offset_ms, seed_epoch) values (0, 1)
    on conflict (only_row) do update set seed_epoch = domain_clock.seed_epoch + 1
    returning seed_epoch as epoch`);

/** Follows from the seed where there is one, which no production has. */
export const openChance = async (db: Db, seed: string | undefined): Promise<Chance> =>
  seed === undefined ? trueChance : seededChance(seed, await raiseEpoch(db));
