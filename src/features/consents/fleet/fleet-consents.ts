import { type Static, Type } from 'typebox';
import { DEVICE_ID_SHAPES, parseDeviceId } from '../../../kernel/device-id.ts';
import { sql } from '../../../platform/db/sql.ts';
import { reportDuplicates } from '../../../platform/fleet-document/merge.ts';
import { EXPORT_PAGE, type FleetSection, inPages } from '../../../platform/fleet-document/section.ts';
import { DEVICES_MAX } from '../consent.ts';
import { LOCATION_KINDS } from '../device-ref.ts';
import {
  type AccountConsent,
  type DeviceConsent,
  exportConsents,
  exportDeviceConsents,
} from './sql-export.ts';
import { holdAccounts } from './sql-merge-exclusions.ts';
import {
  listDeviceConflicts,
  lockLevels,
  stageDeviceLevels,
  upsertDeviceLevels,
  upsertLevels,
} from './sql-merge-levels.ts';

const Level = Type.Integer({ minimum: 0, maximum: 3 });

const identifier = Type.Optional(Type.String({ maxLength: 40 }));
const Entry = Type.Object(
  {
    accountName: Type.String(),
    level: Type.Optional(Level),
    devices: Type.Optional(
      Type.Array(
        Type.Object(
          { imei: identifier, meid: identifier, esn: identifier, level: Level },
          { additionalProperties: false },
        ),
        // With its braces a device takes some 40 bytes: these stay well below the largest entry a document may have.
        { maxItems: DEVICES_MAX },
      ),
    ),
  },
  { additionalProperties: false },
);
type Entry = Static<typeof Entry>;

function checkDevice(device: NonNullable<Entry['devices']>[number], nth: number) {
  const [kind, ...others] = LOCATION_KINDS.filter((known) => device[known] !== undefined);
  if (kind === undefined || others.length > 0)
    return [{ path: `/devices/${nth}`, detail: 'needs one of imei, meid and esn' }];
  const text = device[kind]!;
  // Compared as text in SQL: only the canonical spelling finds the device.
  return parseDeviceId(kind, text)?.value === text
    ? []
    : [{ path: `/devices/${nth}/${kind}`, detail: `must be ${DEVICE_ID_SHAPES[kind]}` }];
}

const toEntry = ({ level, ...ids }: DeviceConsent) => {
  const kind = LOCATION_KINDS.find((known) => ids[known] !== null)!;
  return { [kind]: ids[kind], level };
};

export const consentsSection: FleetSection = {
  name: 'consents',
  tenant: 'account',
  entry: Entry,
  check: ({ devices = [] }: Entry) => devices.flatMap(checkDevice),

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
      await holdAccounts(ctx.db, ecpdId, 'consents');
      await lockLevels(ctx.db, ecpdId);
      await upsertLevels(ctx.db, ecpdId, ctx.now());
      await upsertDeviceLevels(ctx.db, ecpdId, ctx.now());
    }
  },

  export: async function* (db, filter) {
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
