const FNV_BASIS = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** A hash of a text, the same on every machine. */
export function numberOf(text: string): number {
  let hash = FNV_BASIS;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), FNV_PRIME);
  return hash >>> 0;
}

/** A number from 0 to 1 that depends only on the three inputs, so draws need no stored state. */
export function chance(root: number, what: number, slot: number): number {
  // Slots fit into 32 bits for centuries, but may be negative.
  let hash = Math.imul(root ^ Math.imul(what, 0x9e3779b1), 0x85ebca6b) ^ Math.imul(slot | 0, 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
