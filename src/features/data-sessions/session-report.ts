import { createHash } from 'node:crypto';
import type { DeviceId } from '../../kernel/device-id.ts';

/** A report of an access server about a session of a line. Counters are sums since the session began. */
export interface SessionReport {
  readonly kind: 'start' | 'interim' | 'stop';
  /** The access server, as it names itself. */
  readonly nas: string;
  readonly sessionId: string;
  readonly chargingId: number | undefined;
  readonly atMs: number;
  readonly device: DeviceId;
  /** As the access server counts them: from and to the device, or the other way round. */
  readonly input: number;
  readonly output: number;
  readonly directionsSwapped: boolean;
  readonly apn: string | undefined;
  readonly rat: string | undefined;
  readonly sgsn: string | undefined;
  readonly ggsn: string | undefined;
  /** The visited network: its country code and network code, such as 310410. */
  readonly visited: string | undefined;
  readonly imeisv: string | undefined;
  readonly address: string | undefined;
  readonly cell: string | undefined;
  readonly terminateCause: string | undefined;
}

/** An access server has started or stopped, which ends all its sessions. */
export interface Restart {
  readonly kind: 'restart';
  readonly nas: string;
  readonly atMs: number;
}

/** The most that one line can have used until a report. It keeps an access server's error from filling a counter. */
export const OCTETS_MAX = 2 ** 50;

/**
 * The id of what an access server names by one session id. The charging id is no part of it: some reports of a session
 * may lack it.
 */
export function sessionKeyOf({ nas, sessionId }: Pick<SessionReport, 'nas' | 'sessionId'>): string {
  const name = JSON.stringify([nas, sessionId, null]);
  const hex = createHash('sha256').update(name).digest('hex').slice(0, 32);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
