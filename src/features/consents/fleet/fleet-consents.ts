import { type Static, Type } from 'typebox';
import { DEVICE_ID_SHAPES, parseDeviceId } from '../../../kernel/device-id.ts';
import type { Db } from '../../../platform/db/db.ts';
import { sql } from '../../../platform/db/sql.ts';
import type { FleetSection, Selection } from '../../../platform/fleet-document/section.ts';
import { selectPages } from '../../../platform/fleet-document/select-entries.ts';
import { DEVICES_MAX } from '../consent.ts';
import { LOCATION_KINDS } from '../device-ref.ts';
import { holdAccounts, withdrawStaged } from './sql-merge-exclusions.ts';
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
        // A device takes about 40 bytes, so these stay well below the largest entry of a document.
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
  // SQL compares it as text, so only the canonical spelling finds the device.
  return parseDeviceId(kind, text)?.value === text
    ? []
    : [{ path: `/devices/${nth}/${kind}`, detail: `must be ${DEVICE_ID_SHAPES[kind]}` }];
}

interface AccountConsent {
  readonly ecpdId: string;
  readonly accountName: string;
  readonly level: number;
  readonly hasDevices: boolean;
}
const ACCOUNT_LEVELS: Selection = {
  select: sql`x.ecpd_id as "ecpdId", x.account_name as "accountName", x.level, d.ecpd_id is not null as "hasDevices"`,
  from: sql`consent x
    left join (select distinct ecpd_id, account_name from device_consent) d
      on d.ecpd_id = x.ecpd_id and d.account_name = x.account_name`,
  key: ['ecpd_id', 'account_name'],
};

type DeviceConsent = Readonly<Record<(typeof LOCATION_KINDS)[number], string | null>> & {
  readonly level: number;
};
const DEVICE_LEVELS: Selection = {
  select: sql`d.imei, d.meid, d.esn, x.level`,
  from: sql`device_consent x
    join device d on d.ecpd_id = x.ecpd_id and d.account_name = x.account_name and d.device_id = x.device_id`,
  key: ['device_id'],
};

const toEntry = ({ level, ...ids }: DeviceConsent) => {
  const kind = LOCATION_KINDS.find((known) => ids[known] !== null)!;
  return { [kind]: ids[kind], level };
};

/** Writes one entry for each page of an account's devices. The first one also has the account's level. */
async function* toEntries(db: Db, account: AccountConsent): AsyncGenerator<object> {
  const { accountName, level, hasDevices } = account;
  let own: { level?: number } = { level };
  for await (const page of hasDevices ? selectPages<DeviceConsent>(db, DEVICE_LEVELS, account) : []) {
    yield { accountName, ...own, devices: page.map(toEntry) };
    own = {};
  }
  if (own.level !== undefined) yield { accountName, level };
}

export const consentsSection: FleetSection = {
  name: 'consents',
  tenant: 'account',
  entry: Entry,
  check: ({ devices = [] }: Entry) => devices.flatMap(checkDevice),

  /** An account may have several entries, so that any number of its devices fits, but each level only once. */
  verify: [
    {
      path: '/level',
      unique: sql`s.body->>'accountName', case when s.body ? 'level' then -1 else s.position end`,
    },
    ({ db }) => stageDeviceLevels(db),
    { find: ({ db }) => listDeviceConflicts(db) },
  ],

  /** Devices that the document does not name keep their own level. */
  async write({ db, now }, ecpdId) {
    await holdAccounts(db, ecpdId, 'consents');
    await lockLevels(db, ecpdId);
    await upsertLevels(db, ecpdId, now());
    await upsertDeviceLevels(db, ecpdId, now());
    await withdrawStaged(db, ecpdId, 'consents');
  },

  export: async function* (db, filter) {
    for await (const accounts of selectPages<AccountConsent>(db, ACCOUNT_LEVELS, filter))
      for (const account of accounts) yield* toEntries(db, account);
  },
};
