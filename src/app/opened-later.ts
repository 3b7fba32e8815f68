import { type Chance, trueChance } from '../platform/chance/chance.ts';
import type { NotificationFeed } from '../platform/db/listen.ts';
import type { NodeRegistry } from '../platform/health/nodes.ts';

/** A stand-in given to parts of the service before the database exists. */
interface Later<T, Opened = T> {
  readonly face: T;
  /** Opens it; from then on it works. */
  open(real: Opened): void;
}

/** Listeners added before it opens hear everything after. If it is closed during opening, it closes afterwards. */
export function feedLater(): Later<NotificationFeed, Promise<NotificationFeed>> {
  const waiting: ((feed: NotificationFeed) => void)[] = [];
  let opening: Promise<NotificationFeed> | undefined;
  let opened: NotificationFeed | undefined;
  const whenOpen = (act: (feed: NotificationFeed) => void): void => {
    if (opened === undefined) waiting.push(act);
    else act(opened);
  };
  return {
    face: {
      on: (channel, listener) => whenOpen((feed) => feed.on(channel, listener)),
      onGap: (listener) => whenOpen((feed) => feed.onGap(listener)),
      catchUp: async () => opened?.catchUp(),
      isCurrent: () => opened?.isCurrent() ?? false,
      close: async () => (await opening?.catch(() => undefined))?.close(),
    },
    open(promise) {
      opening = promise.then((feed) => {
        opened = feed;
        for (const act of waiting.splice(0)) act(feed);
        return feed;
      });
      // The caller that opens it gets the error.
      opening.catch(() => {});
    },
  };
}

const notOpen = (): never => {
  throw new Error('the database is not open yet');
};

export function nodesLater(): Later<NodeRegistry> {
  let joined: NodeRegistry | undefined;
  return {
    face: {
      clockIsRight: () => joined?.clockIsRight() ?? true,
      countOthers: async () => (joined ?? notOpen()).countOthers(),
      holdAlone: async (tx) => (joined ?? notOpen()).holdAlone(tx),
      stop: async () => joined?.stop(),
    },
    open(nodes) {
      joined = nodes;
    },
  };
}

/** Draws from the source that `find` answers at the first draw. */
function drawLater(find: () => Chance): Chance {
  let found: Chance | undefined;
  const real = (): Chance => {
    found ??= find();
    return found;
  };
  return {
    repeats: true,
    newId: () => real().newId(),
    bytes: (count) => real().bytes(count),
    rowIds: () => real().rowIds(),
    of: (work) => drawLater(() => real().of(work)),
  };
}

/** Only seeded values need the database. */
export function chanceLater(seed: string | undefined): Later<Chance> {
  if (seed === undefined) return { face: trueChance, open() {} };
  let opened: Chance | undefined;
  return {
    face: drawLater(() => opened ?? notOpen()),
    open(chance) {
      opened = chance;
    },
  };
}
