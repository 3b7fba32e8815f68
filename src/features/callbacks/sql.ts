import type { Tenant } from '../../platform/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { sql } from '../../platform/db/sql.ts';
import type { ListenerService } from './service-names.ts';

export const setListenerPaused = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  serviceName: ListenerService,
  { paused, now }: { paused: boolean; now: Date },
) =>
  db.exec(sql`
    update callback_listener set paused = ${paused},
      updated_at = case when paused = ${paused} then updated_at else ${now} end
    where ecpd_id = ${ecpdId} and account_name = ${accountName} and service_name = ${serviceName}`);
