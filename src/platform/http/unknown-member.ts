import { type FaultKind, refuse } from '../context/fault.ts';

/** A name may be as long as a body; so much of it tells which one is meant. */
const SHOWN_MAX = 64;

/**
 * Refuses the first member that the schema does not have, and says which it was. For bodies that would mean everything:
 * what nobody reads may be the list of what is meant under another name. Elsewhere unknown members are ignored.
 */
export function refuseUnknownMembers(
  body: object,
  { properties }: { readonly properties: object },
  kind: FaultKind,
): void {
  const unknown = Object.keys(body).find((name) => !Object.hasOwn(properties, name));
  if (unknown !== undefined) refuse(kind, { reason: unknown.slice(0, SHOWN_MAX) });
}
