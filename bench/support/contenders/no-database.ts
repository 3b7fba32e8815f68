import { type QueuedMessage, type Sending, sendMessage } from './contender.ts';

const IN_FLIGHT = 64;

/** The same POSTs, made and signed in the same way, and nothing else: what the machine can send at all, per second. */
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
