import { LinekeeperError } from './error.ts';

/** Five wrong passwords in a row lock a user, so the client stops before that. */
const FAILURES_MAX = 2;

/** A token shared by all calls. */
export interface Credential {
  /** Returns the current token or a new one; concurrent callers share one request. */
  get(): Promise<string>;
  /** Marks this token as ended; a late report does not end its successor. */
  end(token: string): void;
  /** Forgets the token and earlier refusals. */
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
        `Stopped after ${failures} refusals, so that the user is not locked: ${lastFailure.message}`,
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
