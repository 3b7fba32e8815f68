import { type QueuedMessage, type Sending, sendMessage } from './contender.ts';

const IN_FLIGHT = 64;

/** Only the same signed POSTs, per second: the upper limit of the machine. */
export async function sendWithoutDatabase(
  sending: Sending,
  messages: readonly QueuedMessage[],
): Promise<number> {
  const each = messages.values();
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: IN_FLIGHT }, async () => {
      for (const message of each) await sendMessage(sending, message);
    }),
  );
  return messages.length / ((performance.now() - startedAt) / 1_000);
}
