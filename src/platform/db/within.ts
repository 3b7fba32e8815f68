/** For a caller that cannot wait: the statement itself goes on and ends by its own limit. */
export async function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(Object.assign(new Error(`no answer within ${ms} ms`), { code: 'ETIMEDOUT' })),
    ms,
  );
  return Promise.race([answer, promise]).finally(() => clearTimeout(timer));
}
