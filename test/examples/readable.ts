import { idOf } from '../../demo/generator.ts';

/** More entries of a list would show nothing new. */
const SHOWN_MAX = 2;
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Replacements for values that are random or measured in each run. */
const STANDS_FOR: Readonly<Record<string, string | number>> = {
  access_token: 'example-access-token',
  sessionToken: 'example-session-token',
  newPassword: 'example-password',
  clientSecret: 'example-client-secret',
  offsetMs: 0,
  latencyMs: 24,
  durationMs: 12.5,
  upSeconds: 86_400,
  signedAt: '2026-01-05T15:00:12.000Z',
  until: '2026-01-05T15:30:00.000Z',
};

const SECRETS = [
  [/lk_op_[\w-]+/g, 'example-operator-key'],
  [/whsec_[\w+/=-]+/g, 'example-webhook-secret'],
] as const;

/** Makes examples short and the same in each recording, and removes secrets. */
export function readable(fleet: object, replaced: Readonly<Record<string, string>>) {
  const known = new Set(JSON.stringify(fleet).match(UUID));
  const named = new Map<string, string>();
  const renamed = (operationId: string, value: unknown): unknown => {
    let count = 0;
    const nameOf = (id: string): string => {
      if (known.has(id)) return id;
      const name = named.get(id) ?? idOf(`example ${operationId} ${++count}`);
      named.set(id, name);
      return name;
    };
    const text = JSON.stringify(value);
    // A trigger without a given name gets one that ends with the beginning of its id.
    const endOf = (id: string) => `% ${id.slice(0, 8)}`;
    const ends = (text.match(UUID) ?? []).map((id) => [endOf(id), endOf(nameOf(id))] as const);
    const changes = [...Object.entries(replaced), ...ends, ...SECRETS];
    return JSON.parse(
      changes.reduce((told, [from, to]) => told.replaceAll(from, to), text.replaceAll(UUID, nameOf)),
    );
  };
  const shortened = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value), (name, member: unknown) => {
      if (Array.isArray(member)) return member.slice(0, SHOWN_MAX);
      const instead = Object.hasOwn(STANDS_FOR, name) ? STANDS_FOR[name] : undefined;
      return typeof instead === typeof member ? instead : member;
    });
  return {
    request: <T>(operationId: string, request: T): T => renamed(operationId, request) as T,
    answer: (operationId: string, answer: unknown): unknown => renamed(operationId, shortened(answer)),
  };
}
export type Readable = ReturnType<typeof readable>;
