/**
 * Requests are generated before the world exists, so that a seed always gives the same ones. A value that must exist
 * to pass the first check is a reference, which is replaced when the request is sent.
 */
const [BEGIN, END] = ['\ue000', '\ue001'];
const REFERENCE = new RegExp(`${BEGIN}([^${END}]+)#(\\d+)${END}`, 'g');

export const reference = (pool: string, index: number): string => `${BEGIN}${pool}#${index}${END}`;

const POOL_MAX = 40;
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

/** The kind of existing value that a parameter or field of this name refers to, if it refers to one. */
const POOL_OF: Readonly<Record<string, string>> = {
  ...names('account', 'accountname', 'paccountname', 'aname', 'account', 'accounts', 'accountnamelist'),
  ...names('account', 'suspendfromaccounts', 'managedacclist', 'accountnames', 'billingaccountid'),
  ...names('trigger', 'triggerid'),
  ...names('transaction', 'txid', 'transactionid'),
  ...names('request', 'requestid'),
  ...names('record', 'deviceid', 'recordid', 'parentdeviceid', 'node_uuid'),
  ...names('id', 'id', 'ids', 'messageid', 'ruleid'),
  ...names('firing', 'firingid'),
  ...names('job', 'jobid'),
  ...names('element', 'element'),
  ...names('feed', 'feed'),
  ...names('file', 'file'),
  ...names('order', 'orderid'),
  ...names('version', 'versionid'),
  ...names('plan', 'serviceplan', 'currentserviceplan', 'carrierserviceplancode', 'tocarrierserviceplancode'),
  ...names('plan', 'fromcarriercode', 'tocarriercode', 'carriercode', 'plancode'),
  ...names('group', 'rateplangroupid'),
  ...names('profile', 'ecpdid'),
  ...names('sku', 'skunumber', 'skuname', 'type'),
  ...names('service', 'service', 'servicename', 'name'),
  ...names('user', 'username'),
  ...names('client', 'clientid'),
  ...names('page', 'page', '$page', 'before', 'after', 'next', 'since'),
  ...names('month', 'month'),
  ...names('url', 'url'),
  ...names('imei', 'imei', 'imeis', 'exclusion', 'devicelist'),
  ...names('iccid', 'iccid'),
  ...names('mdn', 'mdn'),
  ...names('length', 'advance'),
};

function names(pool: string, ...all: readonly string[]): Record<string, string> {
  return Object.fromEntries(all.map((name) => [name, pool]));
}

export const poolOf = (name: string): string | undefined => POOL_OF[name.toLowerCase()];

/** Learnt from responses, so that later requests can concern what earlier ones created. */
const LEARNT = new Set(['trigger', 'transaction', 'request', 'record', 'id', 'firing', 'version', 'page']);

export function knownValues(initial: Readonly<Record<string, readonly string[]>>) {
  const pools = new Map<string, string[]>(Object.entries(initial).map(([pool, all]) => [pool, [...all]]));
  const learn = (pool: string, value: string) => {
    const values = pools.get(pool) ?? [];
    pools.set(pool, [value, ...values.filter((known) => known !== value)].slice(0, POOL_MAX));
  };
  const learnFrom = (answer: unknown): void => {
    if (typeof answer !== 'object' || answer === null) return;
    for (const [name, value] of Object.entries(answer)) {
      const pool = poolOf(name);
      if (typeof value === 'string' && pool !== undefined && LEARNT.has(pool)) learn(pool, value);
      else learnFrom(value);
    }
  };
  return {
    learn,
    learnFrom,
    /** Values learnt from responses may need escaping where they are inserted. */
    resolve: (text: string, written: (value: string) => string): string =>
      text.replaceAll(REFERENCE, (_, pool: string, index: string) => {
        const values = pools.get(pool) ?? [];
        return written((values[Number(index) % Math.max(1, values.length)] ?? UNKNOWN).toWellFormed());
      }),
  };
}
export type KnownValues = ReturnType<typeof knownValues>;
