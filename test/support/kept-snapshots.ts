import {
  type Asking,
  type Snapshot,
  type Snapshots,
  snapshotFaults,
} from '../../src/features/operator/index.ts';
import type { Ctx } from '../../src/platform/context/context.ts';
import { refuse } from '../../src/platform/context/fault.ts';

/** For worlds, which share a database server: answers as if it kept snapshots, but restores none. */
export function keptSnapshots(ctxOf: () => Ctx): Snapshots {
  const kept = new Map<string, Snapshot>();
  const find = (name: string) => kept.get(name) ?? refuse(snapshotFaults.unknown);
  const reopen = ({ reopened }: Asking) => reopened(ctxOf());
  return {
    list: async () => [...kept.values()],
    async make(name, asking) {
      if (kept.has(name)) refuse(snapshotFaults.exists);
      reopen(asking);
      const made = { name, at: ctxOf().now().toISOString(), bytes: 15_270_415 };
      kept.set(name, made);
      return made;
    },
    async restore(name, asking) {
      find(name);
      reopen(asking);
    },
    reset: async (asking) => reopen(asking),
    async delete(name) {
      find(name);
      kept.delete(name);
    },
    tidy: async () => {},
  };
}
