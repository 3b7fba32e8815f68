import { type Static, type TSchema, Type } from 'typebox';

const strict = <P extends Record<string, TSchema>>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });
/** `expected` completes "… must be". */
const text = (pattern: string, expected: string) => Type.String({ pattern, maxLength: 1_024, expected });

const Name = text(
  '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$',
  'up to 64 letters, digits, dots, dashes and underscores',
);
const Address = text(
  '^(\\[[0-9A-Fa-f:.]+\\]|[A-Za-z0-9._-]+):[0-9]{1,5}$',
  'a host and a port, such as 127.0.0.1:4259',
);
const Url = text('^https?://.+', 'an address that begins with http:// or https://');
const Secret = Type.String({ minLength: 1, maxLength: 4_096, expected: 'a text that is not empty' });
const FileName = Type.String({ minLength: 1, maxLength: 4_096, expected: 'the name of a file' });
const wholeNumber = (minimum: number, maximum: number) =>
  Type.Integer({ minimum, maximum, expected: `a whole number from ${minimum} to ${maximum}` });
const TimeoutMs = Type.Optional(wholeNumber(100, 60_000));

/** Which lines an element serves: by their IMSI, by their account, or all. */
const SERVES = {
  imsi: Type.Optional(
    Type.Array(
      text('^[0-9]{6,15}(-[0-9]{6,15})?$', 'an IMSI, or two of the same length with a dash between'),
      {
        minItems: 1,
        maxItems: 1_000,
        expected: 'a list of up to 1,000 ranges',
      },
    ),
  ),
  accounts: Type.Optional(
    Type.Array(text('^[0-9-]{1,32}$', 'an account name'), {
      minItems: 1,
      maxItems: 10_000,
      expected: 'a list of up to 10,000 account names',
    }),
  ),
};
/** A secret in the file itself, or in a file next to it. */
const SECRET = { secret: Type.Optional(Secret), secretFile: Type.Optional(FileName) };
const PASSWORD = { password: Type.Optional(Secret), passwordFile: Type.Optional(FileName) };

/** All settings of an element, by kind. */
export const ELEMENT_KINDS = {
  'osmo-hlr': strict({
    name: Name,
    kind: Type.Literal('osmo-hlr'),
    address: Address,
    ...SERVES,
    timeoutMs: TimeoutMs,
    batchMax: Type.Optional(wholeNumber(1, 1_000)),
  }),
  radius: strict({
    name: Name,
    kind: Type.Literal('radius'),
    address: Address,
    nasIdentifier: Type.Optional(
      Type.String({ minLength: 1, maxLength: 253, expected: 'up to 253 characters' }),
    ),
    nameBy: Type.Optional(
      Type.Array(Type.Union([Type.Literal('imsi'), Type.Literal('msisdn')]), {
        minItems: 1,
        maxItems: 2,
        expected: 'a list of imsi, msisdn or both',
      }),
    ),
    planAttribute: Type.Optional(
      Type.Union([Type.Literal('Filter-Id'), Type.Literal('Class')], { expected: 'Filter-Id or Class' }),
    ),
    ...SECRET,
    ...SERVES,
  }),
  http: strict({
    name: Name,
    kind: Type.Literal('http'),
    url: Url,
    ...SECRET,
    ...SERVES,
    timeoutMs: TimeoutMs,
  }),
} as const;

export const POSITION_KINDS = {
  mlp: strict({
    name: Name,
    kind: Type.Literal('mlp'),
    url: Url,
    client: Type.String({ minLength: 1, maxLength: 128, expected: 'up to 128 characters' }),
    ...PASSWORD,
    version: Type.Optional(
      Type.Enum(['3.0.0', '3.1.0', '3.2.0', '3.3.0', '3.4.0', '3.5.0'], {
        expected: 'a version from 3.0.0 to 3.5.0',
      }),
    ),
    maxMsidsPerRequest: Type.Optional(wholeNumber(1, 100)),
    timeoutMs: TimeoutMs,
  }),
  http: strict({ name: Name, kind: Type.Literal('http'), url: Url, ...SECRET, timeoutMs: TimeoutMs }),
} as const;

/** Elements and sources are checked by the schema of their kind, so that an error refers to that kind only. */
const OfSomeKind = Type.Object({ name: Name, kind: Type.String({ expected: 'a kind' }) });

export const NetworkFile = strict({
  elements: Type.Optional(
    Type.Array(OfSomeKind, { maxItems: 100, expected: 'a list of up to 100 elements' }),
  ),
  positions: Type.Optional(Type.Array(OfSomeKind, { maxItems: 10, expected: 'a list of up to 10 sources' })),
  feeds: Type.Optional(
    strict({
      radius: Type.Optional(
        strict({
          listen: Address,
          clients: Type.Array(
            strict({
              address: text('^[0-9A-Fa-f.:]+(/[0-9]{1,3})?$', 'an address or a range of addresses'),
              ...SECRET,
              swapDirections: Type.Optional(Type.Boolean({ expected: 'true or false' })),
            }),
            { minItems: 1, maxItems: 1_000, expected: 'a list of up to 1,000 clients' },
          ),
        }),
      ),
      files: Type.Optional(
        Type.Array(
          strict({
            name: Type.Optional(Name),
            folder: FileName,
            mapping: FileName,
            source: Type.Optional(Name),
          }),
          { maxItems: 100, expected: 'a list of up to 100 folders' },
        ),
      ),
    }),
  ),
});

type Kinds = { readonly [K in string]: TSchema };
type Given<K extends Kinds> = Static<K[keyof K]>;
/** As adapters receive it: with the secret itself, wherever it came from. */
type WithSecret<T> = T extends unknown ? Omit<T, 'secretFile' | 'passwordFile'> : never;

export type ElementSettings = WithSecret<Given<typeof ELEMENT_KINDS>>;
export type PositionSettings = WithSecret<Given<typeof POSITION_KINDS>>;
export type GivenFeeds = NonNullable<Static<typeof NetworkFile>['feeds']>;
/** Feeds as they are used: with names and secrets. */
export interface FeedSettings {
  readonly radius?: {
    readonly name: string;
    readonly listen: string;
    readonly clients: readonly {
      readonly address: string;
      readonly secret: string;
      /** Whether input means traffic to the device. */
      readonly swapDirections: boolean;
    }[];
  };
  readonly files: readonly {
    readonly name: string;
    readonly folder: string;
    readonly mapping: string;
    /** Where the records come from. Ids are unique for each source; folders without one share one. */
    readonly source?: string;
  }[];
}

/** The network as its file describes it. */
export interface NetworkSettings {
  readonly elements: readonly ElementSettings[];
  readonly positions: readonly PositionSettings[];
  readonly feeds: FeedSettings;
}
