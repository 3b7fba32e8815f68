/** Runs a bounded number at a time. After a failure it waits for the running ones and ends. */
export async function inParallel<T>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  const walk = async () => {
    for (const item of rest) await work(item);
  };
  const walks = await Promise.allSettled(Array.from({ length: Math.min(width, items.length) }, walk));
  const failed = walks.find((walked) => walked.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
