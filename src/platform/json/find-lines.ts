const TOKEN =
  /\s*([{}[\],:]|"(?:[^"\\\p{Cc}]|[\x7f-\x9f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?!\w))/uy;

class Broken extends Error {}

const escapeName = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1');

interface Lines {
  /** The line of a pointer, or of its parent if it is absent. */
  readonly of: (pointer: string) => number;
  /** The line of the first character that is not valid JSON. */
  readonly broken: number | undefined;
}

/** Finds the lines of problems in a JSON text, counted from 1, for messages to people. */
export function findLines(text: string, pointers: readonly string[]): Lines {
  const wanted = new Set(pointers.flatMap((pointer) => [...parentsOf(pointer)]));
  const found = new Map<string, number>();
  let index = text.startsWith('\ufeff') ? 1 : 0;
  const lineAt = (end: number) => text.slice(0, end).split('\n').length;
  const peek = () => {
    TOKEN.lastIndex = index;
    const token = TOKEN.exec(text)?.[1];
    if (token === undefined) throw new Broken();
    return token;
  };
  const take = (...allowed: readonly string[]) => {
    const token = peek();
    if (allowed.length > 0 && !allowed.includes(token)) throw new Broken();
    index = TOKEN.lastIndex;
    return token;
  };
  const readAll = (end: string, readOne: (nr: number) => void) => {
    if (peek() === end) return void take();
    for (let nr = 0; ; nr++) {
      readOne(nr);
      if (take(',', end) === end) return;
    }
  };
  const read = (pointer: string) => {
    const token = peek();
    if (wanted.has(pointer)) found.set(pointer, lineAt(TOKEN.lastIndex - token.length));
    if (/^[}\],:]/.test(token)) throw new Broken();
    take();
    if (token === '[') readAll(']', (nr) => read(`${pointer}/${nr}`));
    if (token !== '{') return;
    readAll('}', () => {
      const name = peek();
      if (!name.startsWith('"')) throw new Broken();
      take();
      take(':');
      read(`${pointer}/${escapeName(JSON.parse(name) as string)}`);
    });
  };
  let broken: number | undefined;
  try {
    read('');
    if (/\S/.test(text.slice(index))) throw new Broken();
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    broken = lineAt(index + /^\s*/.exec(text.slice(index))![0].length);
  }
  const of = (pointer: string) => found.get([...parentsOf(pointer)].find((one) => found.has(one)) ?? '') ?? 1;
  return { of, broken };
}

/** The pointer itself first, then its parents up to the whole text. */
function* parentsOf(pointer: string): Generator<string> {
  for (let one = pointer; one !== ''; one = one.slice(0, one.lastIndexOf('/'))) yield one;
  yield '';
}
