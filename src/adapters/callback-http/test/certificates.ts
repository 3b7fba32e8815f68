import { generate } from 'selfsigned';

export interface Pair {
  readonly key: string;
  readonly cert: string;
}

const DAY_MS = 86_400_000;
const name = (value: string) => [{ name: 'commonName', value }];
const fast = { keyType: 'ec', algorithm: 'sha256' } as const;

/** A certificate authority for one test file. */
export async function makeAuthority(): Promise<Pair> {
  const made = await generate(name('Linekeeper test authority'), {
    ...fast,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  return { key: made.private, cert: made.cert };
}

export interface Wanted {
  readonly ca?: Pair;
  readonly host?: string;
  /** Start of its validity, in days from today; it lasts ten days. */
  readonly fromDay?: number;
}

export async function makeCertificate({ ca, host = 'localhost', fromDay = -1 }: Wanted): Promise<Pair> {
  const from = Date.now() + fromDay * DAY_MS;
  const made = await generate(name(host), {
    ...fast,
    notBeforeDate: new Date(from),
    notAfterDate: new Date(from + 10 * DAY_MS),
    extensions: [
      { name: 'basicConstraints', cA: false },
      {
        name: 'subjectAltName',
        altNames: [host === '127.0.0.1' ? { type: 7, ip: host } : { type: 2, value: host }],
      },
    ],
    ...(ca === undefined ? {} : { ca }),
  });
  return { key: made.private, cert: made.cert };
}
