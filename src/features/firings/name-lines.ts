import { isUuid } from '../../kernel/uuid.ts';
import type { Db } from '../../platform/db/db.ts';
import { listNamesInProfile } from '../devices/index.ts';
import type { Firing } from './firing.ts';

type OfSubject = Pick<Firing, 'accountName' | 'subject'>;

/** Adds the name of each counted line, while the line belongs to the account in which it was counted. */
export async function nameLines<F extends OfSubject>(
  db: Db,
  ecpdId: string,
  firings: readonly F[],
): Promise<readonly (F & { readonly deviceName?: string })[]> {
  const deviceIds = new Set(firings.flatMap(({ subject }) => (isUuid(subject) ? [subject] : [])));
  const lines = await listNamesInProfile(db, ecpdId, [...deviceIds]);
  return firings.map((firing) => {
    const line = lines.get(firing.subject);
    return line?.accountName === firing.accountName ? { ...firing, deviceName: line.name } : firing;
  });
}
