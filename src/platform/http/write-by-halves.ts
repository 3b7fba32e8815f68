import { isAboutData } from '../telemetry/logged-error.ts';

/** So many records of a batch are given up; what more of them cannot be taken is no accident of their data. */
export const GIVEN_UP_MAX = 10;

export class TooManyGivenUp extends Error {}

/** Of one batch, through all that is done with it. */
export interface GivenUp {
  count: number;
}

/**
 * Works a batch as a whole. Where that fails for a reason in its data, it halves it until it has found the records that
 * cannot be taken, gives these up, and works the others in their order. A record is given up when it has failed twice by
 * itself: what another feed was in the way of passes the second time. Any other failure is thrown as it is.
 */
export function halving<T extends { readonly line: number }>(
  giveUp: (item: T, error: Error) => void,
  givenUp: GivenUp,
): (items: readonly T[], work: (items: readonly T[]) => Promise<void>) => Promise<void> {
  const take = async (
    items: readonly T[],
    work: (items: readonly T[]) => Promise<void>,
    again = false,
  ): Promise<void> => {
    try {
      return await work(items);
    } catch (error) {
      if (!isAboutData(error) || items.length === 0) throw error;
      if (items.length === 1 && again) {
        if (++givenUp.count > GIVEN_UP_MAX)
          throw new TooManyGivenUp(`More than ${GIVEN_UP_MAX} records of a batch fail`, { cause: error });
        return giveUp(items[0]!, error);
      }
    }
    if (items.length === 1) return take(items, work, true);
    const middle = items.length >> 1;
    await take(items.slice(0, middle), work);
    await take(items.slice(middle), work);
  };
  return (items, work) => take(items, work);
}
