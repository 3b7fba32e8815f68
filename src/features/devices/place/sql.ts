import type { Tenant } from '../../../platform/context/context.ts';
import { arrayText } from '../../../platform/db/array-text.ts';
import type { Db } from '../../../platform/db/db.ts';
import { plainArray } from '../../../platform/db/plain-array.ts';
import { sql } from '../../../platform/db/sql.ts';
import type { PlaceOfUse } from './schemas.ts';

export interface UsedAt {
  readonly deviceId: string;
  readonly place: PlaceOfUse;
}

/** The devices are locked, so that no two write about one at a time. */
export const upsertPlacesOfUse = (db: Db, { ecpdId }: Tenant, used: readonly UsedAt[], now: Date) =>
  db.exec(sql`
    insert into device_place_of_use (ecpd_id, device_id, place, changed_at)
    select ${ecpdId}, device_id, place, ${now}
    from unnest(${plainArray(used.map(({ deviceId }) => deviceId))}::uuid[],
      ${arrayText(used.map(({ place }) => JSON.stringify(place)))}::jsonb[]) as new (device_id, place)
    order by device_id
    on conflict (ecpd_id, device_id) do update set place = excluded.place, changed_at = excluded.changed_at`);
