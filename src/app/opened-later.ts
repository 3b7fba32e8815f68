import { type Chance, trueChance } from '../platform/chance/chance.ts';
import type { NotificationFeed } from '../platform/db/listen.ts';
import type { NodeRegistry } from '../platform/health/nodes.ts';

/** What parts of the service are given before the database is there that it speaks of. */
interface Later<T, Opened = T> {
  readonly face: T;
  /** From now on it does what it is for. */
  open(real: Opened): void;
}

/** Who listens before it is open hears what comes from then on. One that is still being opened is closed afterwards. */
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
      // Whoever opens it hears of a failure.
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

/** Draws from what `find` answers at the first draw. */
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

/** Only what follows from a seed needs the database. */
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
