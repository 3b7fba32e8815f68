import { LinekeeperError } from '../../../sdk/index.ts';
import { call } from './client.ts';

/** Sections of a fleet document with their entries. Fields that an entry omits stay unchanged. */
type Fleet = Readonly<Record<string, readonly object[]>>;

interface Problem {
  readonly pointer: string;
  readonly detail: string;
}

/** "/accounts/0/timeZone" as "time zone", and "/users/0/accounts/2" as "accounts". */
const fieldOf = (pointer: string): string =>
  (
    pointer
      .split('/')
      .filter((one) => !/^\d+$/.test(one))
      .at(-1) ?? ''
  )
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();

/** Names the wrong field of the form instead of a place in a document that the user never sees. */
function inWords(error: unknown): unknown {
  if (!(error instanceof LinekeeperError) || error.code !== 'document_invalid') return error;
  const { errors = [] } = error.body as { readonly errors?: readonly Problem[] };
  const [first] = errors;
  if (first === undefined) return error;
  const { status, code, requestId, body } = error;
  return new LinekeeperError('refused', `Nothing was saved: ${fieldOf(first.pointer)} ${first.detail}`, {
    ...{ status, code, requestId, body },
  });
}

/** Creates or changes the objects in one atomic import. */
export const importFleet = (fleet: Fleet): Promise<unknown> =>
  call('POST /operator/v1/import', {
    raw: JSON.stringify(fleet),
    headers: { 'content-type': 'application/json' },
  }).catch((error) => {
    throw inWords(error);
  });
