import { Agent, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { OPERATOR_KEY } from './service.ts';
import { AT, BATCH, benchRecord } from './usage-bare.ts';

export interface Fed {
  readonly devices: number;
  /** Makes the ids of each run unique. */
  readonly run: string;
  readonly at?: string;
  readonly serviceName?: 'fota';
}

/** The records as they are posted, one per line. */
export function linesOf(from: number, to: number, { devices, run, at = AT, serviceName }: Fed): string[] {
  const service = serviceName === undefined ? '' : `,"serviceName":"${serviceName}"`;
  return Array.from({ length: to - from }, (_, i) => {
    const { id, device, bytes } = benchRecord(from + i, devices, run);
    return `{"id":"${id}","kind":"imei","device":"${device.imei}","at":"${at}","bytes":${bytes},"apn":"iot.apn","ratingGroup":"100","countryCode":"USA","chargeAmount":0.12${service}}\n`;
  });
}

function bodies(from: number, to: number, fed: Fed): Buffer[] {
  const parts: Buffer[] = [];
  for (let start = from; start < to; start += BATCH)
    parts.push(Buffer.from(linesOf(start, Math.min(start + BATCH, to), fed).join('')));
  return parts;
}

/** Returns the number of accepted records. */
export async function send(feedUrl: string, parts: readonly Buffer[]): Promise<number> {
  const answer = await new Promise<{ accepted: number }>((resolve, reject) => {
    const call = request(feedUrl, {
      method: 'POST',
      agent: new Agent(),
      headers: { authorization: `Bearer ${OPERATOR_KEY}`, 'content-type': 'application/x-ndjson' },
    });
    call.on('error', reject);
    call.on('response', (response) =>
      json(response).then((body) => resolve(body as { accepted: number }), reject),
    );
    void (async () => {
      for (const part of parts)
        if (!call.write(part)) await new Promise((ready) => call.once('drain', ready));
      call.end();
    })();
  });
  return answer.accepted;
}

/** Records per second over HTTP into the service as users start it, with two feeds at once unless `feeds` is 1. */
export async function feedRate(
  url: string,
  fed: Fed & { readonly records: number; readonly feeds?: 1 | 2 },
): Promise<number> {
  const { records } = fed;
  const half = fed.feeds === 1 ? records : Math.ceil(records / 2 / BATCH) * BATCH;
  const feeds = [[0, half] as const, [half, records] as const].flatMap(([from, to]) =>
    from < to ? [bodies(from, to, fed)] : [],
  );
  const before = performance.now();
  const accepted = await Promise.all(feeds.map((parts) => send(`${url}/operator/v1/usage`, parts)));
  const seconds = (performance.now() - before) / 1_000;
  if (accepted.reduce((sum, one) => sum + one, 0) !== records) throw new Error(`accepted ${accepted}`);
  return records / seconds;
}
