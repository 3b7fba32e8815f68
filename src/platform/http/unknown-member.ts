import { type FaultKind, refuse } from '../context/fault.ts';

/** A name may be as long as a body; messages show at most this much of it. */
const SHOWN_MAX = 64;

/**
 * Refuses the first unknown member and names it. For bodies in which a missing member means everything: the unknown member
 * may be a misspelt list of what is meant. Elsewhere unknown members are ignored.
 */
export function refuseUnknownMembers(
  body: object,
  { properties }: { readonly properties: object },
  kind: FaultKind,
): void {
  const unknown = Object.keys(body).find((name) => !Object.hasOwn(properties, name));
  if (unknown !== undefined) refuse(kind, { reason: unknown.slice(0, SHOWN_MAX) });
}
