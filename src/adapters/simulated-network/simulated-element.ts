import { listOrderSimulationsByImsi, type SimulatedOrders } from '../../features/devices/index.ts';
import {
  findSimulatedOrders,
  type NetworkElement,
  type OrderOutcome,
  SIMULATED,
} from '../../features/network/index.ts';
import type { Ctx } from '../../platform/context/context.ts';

const BATCH_MAX = 500;

function answerFor({ silent = false, refusal }: SimulatedOrders): OrderOutcome {
  if (silent) return { outcome: 'failed', reason: 'the simulated network is set to be silent' };
  return refusal === undefined ? { outcome: 'done' } : { outcome: 'refused', reason: refusal };
}

/** Does everything it is told, but for what people told it not to. It keeps no lines: they are as the service says. */
export const createSimulatedElement = ({ db }: Pick<Ctx, 'db'>): NetworkElement => ({
  name: SIMULATED,
  kind: SIMULATED,
  batchMax: BATCH_MAX,
  async carryOut(orders) {
    const [all = {}, own] = await Promise.all([
      findSimulatedOrders(db),
      listOrderSimulationsByImsi(
        db,
        orders.map(({ imsi }) => imsi),
      ),
    ]);
    const byImsi = new Map(own.map(({ imsi, orders: treated }) => [imsi, treated]));
    return orders.map(({ imsi }) => answerFor({ ...all, ...byImsi.get(imsi) }));
  },
  close: async () => {},
});
