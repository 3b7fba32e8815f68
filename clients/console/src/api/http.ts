/** A refusal of the service, in the words of its problem document. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly detail: string | undefined;
  constructor(status: number, code: string, title: string, detail: string | undefined) {
    super(title);
    this.status = status;
    this.code = code;
    this.detail = detail;
  }
}

/** Written into the page by the service: the path of the interface is a setting. */
const written = document.querySelector<HTMLMetaElement>('meta[name="linekeeper-base"]')?.content ?? '';
const BASE = `${written.startsWith('__') ? '/api' : written}/console/v1`;

const WAIT_MS = 60_000;

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export function urlOf(path: string, query: Query = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? BASE + path : `${BASE}${path}?${new URLSearchParams(given)}`;
}

const signedOutListeners = new Set<() => void>();
/** Told when the service says that nobody is signed in. */
export function onSignedOut(listener: () => void): () => void {
  signedOutListeners.add(listener);
  return () => signedOutListeners.delete(listener);
}

/** After so long without a touch nobody is there: what a page then reads by itself does not prolong the session. */
const ATTENDED_MS = 60_000;
let touchedAt = performance.now();
const touch = () => {
  touchedAt = performance.now();
};
for (const event of ['pointerdown', 'keydown', 'wheel'])
  addEventListener(event, touch, { passive: true, capture: true });
const unattended = () => (performance.now() - touchedAt > ATTENDED_MS ? { 'x-unattended': 'true' } : {});

async function refusalOf(answer: Response): Promise<ApiError> {
  const body: unknown = await answer.json().catch(() => undefined);
  const { title, code, detail } = (body ?? {}) as { title?: string; code?: string; detail?: string };
  return new ApiError(
    answer.status,
    code ?? String(answer.status),
    title ?? 'The service did not answer',
    detail,
  );
}

async function call<T>(method: string, url: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  const patience = AbortSignal.timeout(WAIT_MS);
  const answer = await fetch(url, {
    method,
    credentials: 'same-origin',
    headers: { accept: 'application/json', 'x-requested-by': 'console', ...unattended() },
    signal: signal === undefined ? patience : AbortSignal.any([signal, patience]),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (answer.ok) return (await answer.json()) as T;
  if (answer.status === 401) for (const listener of signedOutListeners) listener();
  throw await refusalOf(answer);
}

export const get = <T>(path: string, query?: Query, signal?: AbortSignal): Promise<T> =>
  call<T>('GET', urlOf(path, query), undefined, signal);

export const send = <T>(
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<T> => call<T>(method, urlOf(path), body);

/** The path of what belongs to an account. */
export const ofAccount = (accountName: string, path: string): string =>
  `/accounts/${encodeURIComponent(accountName)}${path}`;
