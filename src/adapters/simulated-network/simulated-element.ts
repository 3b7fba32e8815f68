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

/** Carries out every order, except those that users set to fail. It stores no lines: their states are those of the service. */
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
