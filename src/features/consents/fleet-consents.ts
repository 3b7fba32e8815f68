import { Type } from 'typebox';
import { sql } from '../../platform/db/sql.ts';
import { reportDuplicates } from '../../platform/fleet-document/merge.ts';
import { EXPORT_PAGE, type FleetSection, inPages } from '../../platform/fleet-document/section.ts';
import { type AccountConsent, type DeviceConsent, exportConsents, exportDeviceConsents } from './sql.ts';
import { listDeviceConflicts, stageDeviceLevels, upsertDeviceLevels, upsertLevels } from './sql-merge.ts';

const Level = Type.Integer({ minimum: 0, maximum: 3 });
/** With its braces a device takes some 40 bytes: this many stay well below the largest entry a document may have. */
const DEVICES_MAX = 10_000;

export const consentsSection: FleetSection = {
  name: 'consents',
  tenant: 'account',
  entry: Type.Object(
    {
      accountName: Type.String(),
      level: Type.Optional(Level),
      devices: Type.Optional(
        Type.Array(
          Type.Object(
            { imei: Type.String({ pattern: '^[0-9]{14,16}$' }), level: Level },
            { additionalProperties: false },
          ),
          { maxItems: DEVICES_MAX },
        ),
      ),
    },
    { additionalProperties: false },
  ),

  /** An account may stand several times, so that any number of its devices fits; but each thing is said once. */
  async verify(ctx, staging) {
    await reportDuplicates(ctx, staging, 'consents', {
      path: '/level',
      key: sql`s.body->>'accountName', case when s.body ? 'level' then -1 else s.position end`,
    });
    await stageDeviceLevels(ctx.db);
    staging.report('consents', await listDeviceConflicts(ctx.db));
  },

  /** Devices that the document does not name keep their own level. */
  async write(ctx, staging) {
    for (const ecpdId of await staging.profilesOf('consents')) {
      await upsertLevels(ctx.db, ecpdId, ctx.now());
      await upsertDeviceLevels(ctx.db, ecpdId, ctx.now());
    }
  },

  export: async function* (db, filter) {
    const toEntry = ({ imei, level }: DeviceConsent) => ({ imei, level });
    for await (const account of inPages<AccountConsent>((after) => exportConsents(db, filter, after))) {
      const { accountName, level } = account;
      let page = account.hasDevices ? await exportDeviceConsents(db, account, undefined) : [];
      yield { accountName, level, ...(page.length > 0 && { devices: page.map(toEntry) }) };
      while (page.length === EXPORT_PAGE) {
        page = await exportDeviceConsents(db, account, page.at(-1));
        if (page.length > 0) yield { accountName, devices: page.map(toEntry) };
      }
    }
  },
};
