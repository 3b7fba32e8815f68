import { prepareListener } from '../../src/features/callbacks/delivery/prepare-listener.ts';
import { newWebhookSecret, sealContext } from '../../src/features/callbacks/listeners/listener-secrets.ts';
import { trueChance } from '../../src/platform/chance/chance.ts';
import type { Ctx } from '../../src/platform/context/context.ts';
import { makeOrderedIds } from '../../src/platform/db/ordered-ids.ts';
import { type Listener, PAYLOAD } from './callback-scene.ts';
import type { QueuedMessage } from './contenders/contender.ts';

/** Prepares POSTs as the product does, for contenders without listeners: same body, headers and signature. */
export const prepareListeners = (ctx: Ctx, listeners: readonly Listener[]) =>
  listeners.map((listener) => {
    const seal = (part: 'username' | 'password' | 'secret', text: string) =>
      ctx.secrets.seal(text, sealContext(listener, part));
    const row = {
      ...listener,
      usernameSealed: seal('username', 'u'),
      passwordSealed: seal('password', 'p'),
      secretSealed: seal('secret', newWebhookSecret(ctx.chance)),
      previousSecretSealed: null,
      previousSecretUntil: null,
      legacy: false,
      paused: false,
    };
    return prepareListener(ctx, row, 'Linekeeper/bench');
  });

const payload = JSON.stringify(PAYLOAD);

/** Messages to the listeners in rotation. */
export const makeMessages = (count: number, listeners: number): QueuedMessage[] =>
  makeOrderedIds(trueChance, new Date(), count).map((messageId, n) => ({
    messageId,
    requestId: `r${n}`,
    listener: n % listeners,
    payload,
  }));
