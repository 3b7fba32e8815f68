/** The register's answer to one command: a value, or a refusal. */
export type CtrlAnswer = { readonly value: string } | { readonly refusal: string };

/** `id` is the id that the register returned. A trap is a message without a command. */
type CtrlMessage =
  | { readonly kind: 'trap' }
  | { readonly kind: 'answer'; readonly id: string; readonly variable: string; readonly answer: CtrlAnswer };

const REASON_MAX = 200;

/** The text as one line that can be shown and stored, whatever it contains. */
export const readable = (text: string): string =>
  text
    .replaceAll(/[^\x20-\x7e\u00a0-\uffff]+/g, ' ')
    .trim()
    .slice(0, REASON_MAX);

/** Undefined if the text is not a message of the control interface. */
export function readMessage(text: string): CtrlMessage | undefined {
  const [kind, id] = text.split(' ', 2);
  if (kind === undefined || id === undefined) return undefined;
  if (kind === 'TRAP') return { kind: 'trap' };
  const rest = text.slice(kind.length + id.length + 2);
  if (kind === 'ERROR') return { kind: 'answer', id, variable: '', answer: { refusal: readable(rest) } };
  if (kind !== 'GET_REPLY' && kind !== 'SET_REPLY') return undefined;
  const space = rest.indexOf(' ');
  const variable = space < 0 ? rest : rest.slice(0, space);
  return { kind: 'answer', id, variable, answer: { value: space < 0 ? '' : rest.slice(space + 1) } };
}
