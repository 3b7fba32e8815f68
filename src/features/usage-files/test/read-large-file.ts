import { readRecords } from '../../../platform/feeds/parse-records.ts';
import { BATCH } from '../../../platform/feeds/take-feed.ts';
import { hashContent, readContent } from '../content.ts';
import { parseMapping } from '../mapping.ts';
import { rowReader } from '../read-rows.ts';

// Runs as a separate process: reads a file as the service does, and reports its content and the memory used.
const path = process.argv[2]!;
const parsed = parseMapping({
  format: 'csv',
  columns: { device: { column: 'IMSI', kind: 'imsi' }, at: { column: 'START' }, bytes: { column: 'BYTES' } },
});
if (!('mapping' in parsed)) throw new Error(parsed.problem);
const { signal } = new AbortController();
const { hash, idOf } = await hashContent({ path, headLines: 2, signal });
let [records, bytes, largest] = [0, 0, 0];
const rejected: unknown[] = [];
for await (const batch of readRecords(
  await readContent(path, signal),
  rowReader(parsed.mapping, idOf),
  BATCH,
)) {
  records += batch.records.length;
  largest = Math.max(largest, batch.records.length + batch.rejected.length);
  for (const { record } of batch.records) bytes += record.bytes;
  rejected.push(...batch.rejected);
}
const residentMb = Math.round(process.resourceUsage().maxRSS / 1024);
process.stdout.write(JSON.stringify({ hash, records, bytes, largest, rejected, residentMb }));
