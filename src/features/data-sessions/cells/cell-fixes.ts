import type { Db } from '../../../platform/db/db.ts';
import { type AskedCell, listCells } from './sql-cell.ts';

export interface SeenInCell {
  readonly deviceId: string;
  readonly cell: string;
  /** The radio technology of its session. */
  readonly rat: string | undefined;
  readonly atMs: number;
}

/** Maps the technology names of reports to those of cell tables. */
const RADIOS: Readonly<Record<string, string>> = {
  GERAN: 'GSM',
  UTRAN: 'UMTS',
  'HSPA evolution': 'UMTS',
  'E-UTRAN': 'LTE',
  'NB-IoT': 'LTE',
  'LTE-M': 'LTE',
  NR: 'NR',
};

/** Parses the network, area and cell of a report, such as 001-01-1-257, or an area alone. */
function parseCellName({ cell: name, rat }: SeenInCell): AskedCell | undefined {
  const [, mcc, net, area, cell] = /^(\d{3})-(\d{2,3})-(\d*)(?:-(\d+))?$/.exec(name) ?? [];
  if (mcc === undefined) return undefined;
  return {
    mcc: Number(mcc),
    net: Number(net),
    area: area === '' ? undefined : Number(area),
    cell: cell === undefined ? undefined : Number(cell),
    radio: rat === undefined ? undefined : RADIOS[rat],
  };
}

/** The coarse positions of lines, from the cells they were seen in, where those cells or their areas are known. */
export async function findCellFixes(db: Db, seen: readonly SeenInCell[]) {
  const asked = seen.flatMap((one) => {
    const cell = parseCellName(one);
    return cell === undefined ? [] : [{ ...one, asked: cell }];
  });
  if (asked.length === 0) return [];
  const found = await listCells(
    db,
    asked.map((one) => one.asked),
  );
  return found.map(({ nth, latitude, longitude, radiusM }) => {
    const { deviceId, atMs } = asked[nth]!;
    return { deviceId, accuracy: 'coarse' as const, latitude, longitude, radiusM, at: new Date(atMs) };
  });
}
