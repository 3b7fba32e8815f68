import { IsDateTime } from 'typebox/format';
import { parseDeviceErrorType } from '../../kernel/device-error.ts';
import { DEVICE_ID_KINDS, DEVICE_ID_SHAPES, parseDeviceId } from '../../kernel/device-id.ts';
import { sql } from '../../platform/db/sql.ts';
import type { FleetSection } from '../../platform/fleet-document/section.ts';
import { parseExactly } from '../../platform/json/exact-json.ts';
import { checkAnswered, withoutAnswered } from './answered-record.ts';
import { postImported } from './provisioning-changes.ts';
import { DeviceEntry } from './schemas.ts';
import { EXPORTED } from './sql.ts';
import { stageChanges } from './sql-changes.ts';
import * as merging from './sql-merge.ts';

const given = (entry: DeviceEntry) => DEVICE_ID_KINDS.filter((kind) => entry[kind] !== undefined);

export const devicesSection: FleetSection = {
  name: 'devices',
  tenant: 'account',
  entry: DeviceEntry,
  documents: ['record'],

  check(entry: DeviceEntry) {
    const kinds = given(entry);
    if (kinds.length === 0) return [{ path: '', detail: 'needs at least one identifier' }];
    const problems = kinds
      .filter((kind) => parseDeviceId(kind, entry[kind] as string) === undefined)
      .map((kind) => ({ path: `/${kind}`, detail: `must be ${DEVICE_ID_SHAPES[kind]}` }));
    for (const [path, text] of [
      ['/planSince', entry.planSince],
      ['/record/createdon', entry.record?.createdon],
      ['/record/lastupdated', entry.record?.lastupdated],
    ] as const) {
      if (text !== undefined && !IsDateTime(text)) problems.push({ path, detail: 'is not a date and time' });
    }
    problems.push(...checkAnswered(entry, entry.record ?? {}));
    const error = entry.simulation?.error;
    return error == null || parseDeviceErrorType(error)
      ? problems
      : [...problems, { path: '/simulation/error', detail: 'is not an error type of the location system' }];
  },

  /** Stages identifiers in canonical spelling, so that equal ones are equal strings for SQL too. */
  prepare(_ctx, entry: DeviceEntry) {
    const canonical = given(entry).map((kind) => [kind, parseDeviceId(kind, entry[kind] as string)!.value]);
    const { simulation, record } = entry;
    const parent = record?.parentdeviceid?.toLowerCase();
    const error = simulation?.error == null ? simulation?.error : parseDeviceErrorType(simulation.error);
    return {
      ...entry,
      ...Object.fromEntries(canonical),
      ...(record !== undefined && {
        record: { ...withoutAnswered(record), ...(parent !== undefined && { parentdeviceid: parent }) },
      }),
      ...(simulation !== undefined && {
        simulation: { ...simulation, ...(error !== undefined && { error }) },
      }),
    };
  },

  verify: [
    {
      path: '/servicePlan',
      detail: 'names no plan',
      condition: sql`s.body ? 'servicePlan' and not exists (select 1 from plan where code = s.body->>'servicePlan')`,
    },
    ({ db }) => merging.stageIdentifiers(db),
    { find: ({ db }) => merging.listIdentifierConflicts(db) },
    merging.stageDevices,
    { find: ({ db }) => merging.listRecordIdConflicts(db) },
  ],

  async beforeWrite(ctx, ecpdIds) {
    await merging.lockStagedDevices(ctx, ecpdIds);
    await stageChanges(ctx.db, ecpdIds);
  },
  async write(ctx, ecpdId) {
    await merging.upsertDevices(ctx, ecpdId);
    await merging.deleteReplacedIdentifiers(ctx, ecpdId);
    await merging.insertIdentifiers(ctx, ecpdId);
    await postImported(ctx, ecpdId);
  },
  afterWrite: ({ db }) => merging.analyzeDevices(db),

  export: {
    select: EXPORTED,
    from: sql`device x`,
    key: ['ecpd_id', 'account_name', 'device_id'],
    entryOf: ({ record, ...device }: { record: string }) => ({ ...device, record: parseExactly(record) }),
  },
};
