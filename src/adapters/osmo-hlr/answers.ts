/** What the register said to one command: a value, or why not. */
export type CtrlAnswer = { readonly value: string } | { readonly refusal: string };

/** `id` is what the register echoed. A trap tells of something that nobody asked about. */
type CtrlMessage =
  | { readonly kind: 'trap' }
  | { readonly kind: 'answer'; readonly id: string; readonly variable: string; readonly answer: CtrlAnswer };

const REASON_MAX = 200;

/** One line that can be shown and stored, whatever came. */
export const readable = (text: string): string =>
  text
    .replaceAll(/[^\x20-\x7e\u00a0-\uffff]+/g, ' ')
    .trim()
    .slice(0, REASON_MAX);

/** Undefined where the text is none of the messages of the control interface. */
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
