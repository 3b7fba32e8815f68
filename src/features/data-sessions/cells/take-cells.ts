import type { Ctx } from '../../../platform/context/context.ts';
import type { Db } from '../../../platform/db/db.ts';
import {
  type FeedSizes,
  lineCutter,
  type ParseRecord,
  type RejectedRecord,
  readRecords,
} from '../../../platform/feeds/parse-records.ts';
import { BATCH, REJECTED_MAX, type Taken } from '../../../platform/feeds/take-feed.ts';
import { FeedError, FellSilent } from '../../../platform/http/body-stream.ts';
import { refreshAreas } from './sql-area.ts';
import { type RadioCell, upsertCells } from './sql-cell.ts';

/** In this order. Further columns are ignored. */
const COLUMNS = ['radio', 'mcc', 'net', 'area', 'cell', 'unit', 'lon', 'lat', 'range'] as const;
const RADIOS = ['GSM', 'UMTS', 'LTE', 'NR', 'CDMA'];
/** The name of a cell alone locates nothing more precisely than `least`, and no cell is larger than `most`. */
const RADIUS_M = { least: 300, most: 50_000 };

function parseWhole(text: string | undefined, max: number): number | undefined {
  if (text === undefined || !/^[0-9]{1,15}$/.test(text)) return undefined;
  const value = Number(text);
  return value <= max ? value : undefined;
}

function parseDegrees(text: string | undefined, max: number): number | undefined {
  const value = text === undefined || text.trim() === '' ? Number.NaN : Number(text);
  return Math.abs(value) <= max ? value : undefined;
}

/** Parses a line of the common exchange format for cells. */
function parseCell(text: string): ReturnType<ParseRecord<RadioCell>> {
  const values = text.replace(/\r$/, '').split(',');
  const [radio, mcc, net, area, cell, , lon, lat, range] = values.map((value) => value.trim());
  if (values.length < COLUMNS.length) return { reason: `has fewer than the columns ${COLUMNS.join(', ')}` };
  const known = RADIOS.find((one) => one === radio?.toUpperCase());
  if (known === undefined) return { reason: `radio is none of ${RADIOS.join(', ')}` };
  const numbers = {
    mcc: parseWhole(mcc, 999),
    net: parseWhole(net, 65_535),
    area: parseWhole(area, 2 ** 32),
    cell: parseWhole(cell, 2 ** 40),
    longitude: parseDegrees(lon, 180),
    latitude: parseDegrees(lat, 90),
    radiusM: parseDegrees(range, 10_000_000),
  };
  const wrong = Object.entries(numbers).find(([, value]) => value === undefined);
  if (wrong !== undefined) return { reason: `${wrong[0]} is not a number that it can be` };
  const found = numbers as Omit<RadioCell, 'radio'>;
  const radiusM = Math.min(Math.max(found.radiusM, RADIUS_M.least), RADIUS_M.most);
  return { record: { radio: known, ...found, radiusM } };
}

/** With more changed networks than this, areas are refreshed before the end. Fewer networks exist. */
const NETWORKS_MAX = 10_000;

/** Collects the networks whose areas have to be refreshed. */
function changedNetworks(db: Db) {
  const changed = new Map<string, Pick<RadioCell, 'mcc' | 'net'>>();
  const refresh = async () => {
    for (const network of changed.values()) await refreshAreas(db, network);
    changed.clear();
  };
  return {
    async note(cells: Iterable<RadioCell>) {
      for (const { mcc, net } of cells) changed.set(`${mcc} ${net}`, { mcc, net });
      if (changed.size >= NETWORKS_MAX) await refresh();
    },
    refresh,
  };
}

const keyOf = ({ radio, mcc, net, area, cell }: RadioCell): string =>
  `${radio} ${mcc} ${net} ${area} ${cell}`;

/** Imports a table of cells in bounded pieces. Imported pieces stay even if the rest cannot be read. */
export async function takeCells(
  { db }: Pick<Ctx, 'db'>,
  bytes: AsyncIterable<Buffer>,
  sizes?: FeedSizes,
): Promise<Taken<'accepted'>> {
  const rejected: RejectedRecord[] = [];
  const taken = { accepted: 0, rejectedTotal: 0, rejected };
  const networks = changedNetworks(db);
  const { rejectedMax = Infinity } = sizes ?? {};
  const read = ({ line, text }: { line: number; text: string | undefined }) => {
    if (text === undefined) return { reason: 'is longer than a line may be' };
    // The header line.
    return line === 1 && /^\uFEFF?radio\s*,/i.test(text) ? undefined : parseCell(text);
  };
  let broken: FeedError | undefined;
  try {
    for await (const batch of readRecords(bytes, { cutter: lineCutter(), read }, { ...BATCH, ...sizes })) {
      const cells = new Map(batch.records.map(({ record }) => [keyOf(record), record]));
      if (cells.size > 0) await upsertCells(db, [...cells.values()]);
      await networks.note(cells.values());
      taken.accepted += batch.records.length;
      taken.rejectedTotal += batch.rejected.length;
      rejected.push(...batch.rejected.slice(0, REJECTED_MAX - rejected.length));
      if (taken.rejectedTotal > rejectedMax)
        throw new FeedError(`has more than ${rejectedMax} rejected records`);
    }
  } catch (error) {
    if (!(error instanceof FeedError)) throw error;
    broken = error;
  }
  await networks.refresh();
  if (broken === undefined) return taken;
  return {
    ...taken,
    brokenBecause: broken.message,
    ...(broken instanceof FellSilent && { fellSilent: true as const }),
  };
}
