import { type PositionSource, type SourceAnswer, SourceRefused } from '../../features/locations/index.ts';
import { trueChance } from '../../platform/chance/chance.ts';
import { randomToken } from '../../platform/crypto/token.ts';
import { createSignedPost, isRefusal, reasonOf, type SignedSettings } from './signed-post.ts';

const BATCH_MAX = 100;

const isText = (value: unknown): value is string => typeof value === 'string';

/** One entry of an answer; an invalid one is left out, and the device then has no location data. */
function answerOf(entry: unknown): [deviceId: string, answer: SourceAnswer] | undefined {
  const { deviceId, latitude, longitude, radius, at, error, info } = (entry ?? {}) as Record<string, unknown>;
  if (!isText(deviceId)) return undefined;
  if (isText(error)) return [deviceId, { failure: { type: error, ...(isText(info) && { info }) } }];
  if (typeof latitude !== 'number' || typeof longitude !== 'number' || typeof radius !== 'number')
    return undefined;
  return isText(at)
    ? [deviceId, { fix: { latitude, longitude, radiusM: radius, at: new Date(at) } }]
    : undefined;
}

/**
 * An operator's own system that knows positions of devices: one signed POST for a batch. 200 answers for the devices that it
 * knows, 4xx refuses, and any other answer means that it was not reached. The contract is in docs/network.md.
 */
export function createHttpPositions({
  name,
  ...settings
}: SignedSettings & { readonly name: string }): PositionSource & { close(): Promise<void> } {
  const { post, close } = createSignedPost(settings);
  return {
    name,
    batchMax: BATCH_MAX,
    async locate(targets, { accuracy, timeLimitMs, signal }) {
      const devices = targets.map(({ deviceId, imei, meid, esn, mdn, msisdn }) => {
        const known = Object.entries({ imei, meid, esn, mdn, msisdn }).filter(([, id]) => id !== null);
        return { deviceId, ...Object.fromEntries(known) };
      });
      const content = { accountName: targets[0]?.accountName, accuracy, timeLimitMs, devices };
      const answer = await post('', randomToken(trueChance), content, signal);
      if ('failure' in answer) throw new Error(`${name} ${answer.failure}`);
      const { status, body } = answer;
      if (isRefusal(status)) throw new SourceRefused(reasonOf(answer));
      const positions = (body as { positions?: unknown } | null | undefined)?.positions;
      if (status !== 200 || !Array.isArray(positions)) throw new Error(`${name}: ${reasonOf(answer)}`);
      const asked = new Set(targets.map(({ deviceId }) => deviceId));
      return new Map(
        positions.map(answerOf).filter((found) => found !== undefined && asked.has(found[0])) as [
          string,
          SourceAnswer,
        ][],
      );
    },
    close,
  };
}
