import {
  createDeliveryEngine,
  postCallbacks,
  type SendCallback,
} from '../../../src/features/callbacks/index.ts';
import { type CallbackScene, ECPD, makeCallbacks } from '../callback-scene.ts';
import type { Contender } from './contender.ts';

export const linekeeper = ({ ctx, db, listeners }: CallbackScene, send: SendCallback): Contender => ({
  name: 'Linekeeper',
  databaseUrl: db.url,
  post: async (count) => void (await postCallbacks(ctx, ECPD, makeCallbacks(count, listeners))),
  async deliver(count) {
    const engine = createDeliveryEngine(ctx, {
      send,
      userAgent: 'Linekeeper/bench',
      withhold: async () => new Map(),
    });
    const startedAt = performance.now();
    const recorded = await engine.settle();
    const seconds = (performance.now() - startedAt) / 1_000;
    if (recorded !== count || engine.counts.acknowledged !== count) throw new Error(`recorded ${recorded}`);
    await engine.stop();
    return seconds;
  },
  stop: () => db.close(),
});
