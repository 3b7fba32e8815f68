import { LinekeeperError } from './error.ts';

/** Five wrong passwords in a row lock a user: a program stops by itself before that. */
const FAILURES_MAX = 2;

/** A token that all calls share. */
export interface Credential {
  /** The one there is, or a new one; asked for once, however many wait for it. */
  get(): Promise<string>;
  /** This one is over. Whoever says so late does not end its successor. */
  end(token: string): void;
  /** Forgets the token and that asking for one was refused. */
  reset(): void;
  readonly current: string | undefined;
}

const isVerdict = (error: unknown): error is LinekeeperError =>
  error instanceof LinekeeperError && error.kind === 'refused' && error.status < 500 && error.status !== 429;

export function createCredential(ask: () => Promise<string>): Credential {
  let [token, asking] = [undefined as string | undefined, undefined as Promise<string> | undefined];
  let failures = 0;
  let lastFailure: LinekeeperError | undefined;

  async function askOnce(): Promise<string> {
    if (lastFailure !== undefined && failures >= FAILURES_MAX)
      throw new LinekeeperError(
        'latched',
        `Not tried again after ${failures} refusals, so that nobody is locked out: ${lastFailure.message}`,
        { code: lastFailure.code, status: lastFailure.status, cause: lastFailure },
      );
    try {
      const made = await ask();
      failures = 0;
      return made;
    } catch (error) {
      if (isVerdict(error)) [failures, lastFailure] = [failures + 1, error];
      throw error;
    }
  }

  return {
    get current() {
      return token;
    },
    get() {
      if (token !== undefined) return Promise.resolve(token);
      if (asking !== undefined) return asking;
      const mine = askOnce()
        .then((made) => {
          if (asking === mine) token = made;
          return made;
        })
        .finally(() => {
          if (asking === mine) asking = undefined;
        });
      asking = mine;
      return mine;
    },
    end(ended) {
      if (token === ended) token = undefined;
    },
    reset() {
      [token, asking, failures] = [undefined, undefined, 0];
    },
  };
}
