import type { Command, Option } from 'commander';

/** A candidate for the next word. */
interface Word {
  readonly word: string;
  readonly description: string;
}

/** A command path, such as `callbacks list`, with its candidates. */
export interface Place {
  readonly path: string;
  readonly words: readonly Word[];
  /** A subcommand must follow, so files are no candidates. */
  readonly isGroup: boolean;
}

const firstSentence = (text: string): string =>
  (/^.*?[.;:](?=\s|$)/.exec(text)?.[0] ?? text).replace(/[.;:]$/, '');

const optionWords = ({ long, short, description, argChoices }: Option): Word[] => [
  ...[long, short].flatMap((word) => (word ? [{ word, description: firstSentence(description) }] : [])),
  ...(argChoices ?? []).map((word) => ({ word, description: '' })),
];

/** Options of the program itself only. */
const VERSION = new Set(['--version', '-V']);

/** Every command of the program with its own options, the global options and the choices of its arguments. */
export function placesOf(command: Command, path = '', global: readonly Word[] = []): Place[] {
  const help = { word: '--help', description: 'display help for command' };
  const own = command.options.flatMap(optionWords);
  const subcommands = command.commands.filter((one) => one.name() !== 'help');
  const words = [
    ...subcommands.map((one) => ({ word: one.name(), description: firstSentence(one.description()) })),
    ...command.registeredArguments.flatMap((argument) =>
      (argument.argChoices ?? []).map((word) => ({ word, description: '' })),
    ),
    ...own,
    ...global,
    ...(path === '' ? [help] : []),
  ];
  const inherited = path === '' ? [...own.filter(({ word }) => !VERSION.has(word)), help] : global;
  const below = subcommands.flatMap((one) => placesOf(one, `${path} ${one.name()}`.trim(), inherited));
  return [{ path, words, isGroup: subcommands.length > 0 }, ...below];
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const wordList = (words: readonly Word[]): string => [...new Set(words.map(({ word }) => word))].join(' ');

/** Walks the words before the cursor and keeps the last command that they name. */
const walk = (name: string, places: readonly Place[], words: string): string => `
  local place='' candidate word
  for word in ${words}; do
    candidate="\${place:+$place }$word"
    case "$candidate" in
      ${places
        .filter(({ path }) => path !== '')
        .map(({ path }) => quoted(path))
        .join('|')}) place="$candidate" ;;
    esac
  done
  local ${name}
  case "$place" in
${places.map(({ path, words }) => `    ${quoted(path)}) ${name}=${quoted(wordList(words))} ;;`).join('\n')}
  esac`;

const bash = (places: readonly Place[]): string => `# bash completion for linekeeper
_linekeeper() {${walk('next', places, `"\${COMP_WORDS[@]:1:COMP_CWORD-1}"`)}
  COMPREPLY=($(compgen -W "$next" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _linekeeper linekeeper
`;

const zsh = (places: readonly Place[]): string => `#compdef linekeeper
_linekeeper() {${walk('next', places, `"\${(@)words[2,CURRENT-1]}"`)}
  compadd -- \${=next} || _files
}
# As a file of fpath it is the function's first call, and otherwise it is read by a shell that begins.
if [[ "\${funcstack[1]}" = _linekeeper ]]; then _linekeeper "$@"; else compdef _linekeeper linekeeper; fi
`;

const fish = (places: readonly Place[]): string => `# fish completion for linekeeper
function __linekeeper_path
  set -l path ''
  for word in (commandline -opc)[2..]
    set -l candidate (string trim -- "$path $word")
    switch "$candidate"
      case ${places
        .filter(({ path }) => path !== '')
        .map(({ path }) => quoted(path))
        .join(' ')}
        set path "$candidate"
    end
  end
  echo "$path"
end
${places
  .filter(({ isGroup }) => isGroup)
  .map(({ path }) => `complete -c linekeeper -f -n ${quoted(`test (__linekeeper_path) = "${path}"`)}`)
  .join('\n')}
${places
  .flatMap(({ path, words }) =>
    words.map(
      ({ word, description }) =>
        `complete -c linekeeper -n ${quoted(`test (__linekeeper_path) = "${path}"`)} -a ${quoted(word)} -d ${quoted(description)}`,
    ),
  )
  .join('\n')}
`;

export const SHELLS = { bash, zsh, fish } as const;
