import { casesOf } from '../../support/cases.ts';
import { IS_LONG } from '../support/runs.ts';

type Members = Readonly<Record<string, unknown>>;

export interface Slip {
  readonly what: string;
  readonly body: Members;
}

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const emptyOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return [];
  return isObject(value) ? {} : '';
};

function without(members: Members, name: string): Members {
  const { [name]: _, ...rest } = members;
  return rest;
}

const allSlipsOf = (members: Members, name: string): readonly Slip[] => [
  { what: `${name} misspelt`, body: { ...without(members, name), [`${name}s`]: members[name] } },
  { what: `${name} null`, body: { ...members, [name]: null } },
  { what: `${name} empty`, body: { ...members, [name]: emptyOf(members[name]) } },
];

/** The number of slips for each member. The selection rotates with the member's position. */
const SLIPS = IS_LONG ? 3 : casesOf({ everyday: 1, all: 3 });
function slipsOf(members: Members, name: string): readonly Slip[] {
  const all = allSlipsOf(members, name);
  const first = Object.keys(members).indexOf(name);
  return all.map((_, n) => all[(first + n) % all.length]!).slice(0, SLIPS);
}

/** A member that names something through its inner members. */
const NAMES = 'resourceidentifier';

/** The body with one member misspelt, null or empty. */
export const slipsIn = (body: Members): readonly Slip[] =>
  Object.entries(body).flatMap(([name, value]) => [
    ...slipsOf(body, name),
    ...(name === NAMES && isObject(value)
      ? Object.keys(value).flatMap((inner) =>
          slipsOf(value, inner).map((slip) => ({
            what: `${name}.${slip.what}`,
            body: { ...body, [name]: slip.body },
          })),
        )
      : []),
  ]);
