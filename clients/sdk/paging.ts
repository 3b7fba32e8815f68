import type { Answered, Caller } from './caller.ts';
import type { Client } from './client.ts';
import type { Answer, Body, CallOptions, Input, InputOf, Route } from './route-types.ts';

/** Pages joined by `X-Next`; each is requested after the previous one was consumed. */
export async function* followNext<T>(
  ask: (page: string | undefined) => Promise<Answered<T>>,
): AsyncGenerator<T, void, undefined> {
  let page: string | undefined;
  do {
    const { data, headers } = await ask(page);
    yield data;
    page = headers.get('x-next') ?? undefined;
  } while (page !== undefined);
}

/** Lists whose query takes the previous answer's `X-Next` as `page`. */
export type PagedRoute = {
  [R in Route]: Input<R> extends { query?: { page?: string | undefined } } ? R : never;
}[Route];

/** The pages of such a list. */
export function pages<R extends PagedRoute>(
  client: Caller<NoInfer<R>>,
  route: R,
  ...[input]: InputOf<R>
): AsyncGenerator<Answer<R>, void, undefined> {
  const { query, ...others } = (input ?? {}) as { query?: object };
  return followNext((page) => {
    const turned = { ...others, query: { ...query, ...(page !== undefined && { page }) } };
    // The input of a page is the list's with another `page`, which the route's type cannot express.
    return client.request(route, ...([turned] as unknown as InputOf<R>));
  });
}

type Entry<T> = T extends readonly (infer Item)[] ? Item : never;

/** The entries of a list that is an array, one by one: `for await (const account of list(operator, …))`. */
export async function* list<R extends PagedRoute>(
  client: Caller<NoInfer<R>>,
  route: R,
  ...input: InputOf<R>
): AsyncGenerator<Entry<Answer<R>>, void, undefined> {
  for await (const page of pages(client, route, ...input)) yield* page as Iterable<Entry<Answer<R>>>;
}

type Device = Answer<'POST /m2m/v1/devices/actions/list'>['devices'][number];

/** The lines of an account. The service answers 202 and `hasMoreData` while more remain. */
export async function* listDevices(
  client: Client,
  filter: Body<'POST /m2m/v1/devices/actions/list'> = {},
  options: CallOptions = {},
): AsyncGenerator<Device, void, undefined> {
  let largestDeviceIdSeen = filter.largestDeviceIdSeen;
  for (;;) {
    const body = { ...filter, largestDeviceIdSeen };
    const page = await client.call('POST /m2m/v1/devices/actions/list', { ...options, body });
    yield* page.devices;
    // Without a position to continue from, the same page would repeat.
    if (!page.hasMoreData || page.largestDeviceIdSeen === undefined) return;
    largestDeviceIdSeen = page.largestDeviceIdSeen;
  }
}

const REPORT = 'GET /loc/v1/locationreports/{accountName}/report/{txid}/index/{startIndex}';
/** The page size, which is also the step to the next start index. */
const REPORT_PAGE = 1_000;
type Located = Answer<typeof REPORT>['devLocationList'][number];

/** The devices of a location report. Wait until it is COMPLETED, because more may follow before. */
export async function* readLocationReport(
  client: Client,
  { accountName, txid }: { readonly accountName: string; readonly txid: string },
  options: CallOptions = {},
): AsyncGenerator<Located, void, undefined> {
  for (let startIndex = 0; ; startIndex += REPORT_PAGE) {
    const page = await client.call(REPORT, { ...options, path: { accountName, txid, startIndex } });
    yield* page.devLocationList;
    if (!page.hasMoreData) return;
  }
}
