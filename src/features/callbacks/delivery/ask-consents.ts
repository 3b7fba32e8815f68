import type { DueMessage, LeasedLane } from './lane.ts';
import type { LaneDeps } from './lane-deps.ts';
import { listKeptMessages } from './sql-lane.ts';

/** Of messages that rest on a consent: what leaves instead, and which were not erased. Undefined where nobody can tell now. */
export async function askConsents(
  { ctx, withhold, consents }: LaneDeps,
  lane: LeasedLane,
  messages: readonly DueMessage[],
) {
  try {
    const resting = messages.map((message) => ({ ...message, restsOn: message.restsOn! }));
    const ids = messages.map(({ messageId }) => messageId);
    const [instead, kept] = await Promise.all([
      withhold(ctx, lane, resting),
      listKeptMessages(ctx.db, lane, ids),
    ]);
    consents.passed();
    return { instead, kept };
  } catch (error) {
    consents.failed(error);
    ctx.log.error({ err: error }, 'could not ask for the consent of callbacks');
    return undefined;
  }
}
