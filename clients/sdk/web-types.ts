/** A platform type from the library "dom" or @types/node if the program has one; else the needed part of it. */
type Global<Name extends string, Needed> = typeof globalThis extends {
  [Key in Name]: { prototype: infer Own };
}
  ? Own
  : Needed;

export type WebHeaders = Global<'Headers', { get(name: string): string | null }>;

export type WebResponse = Global<
  'Response',
  {
    readonly ok: boolean;
    readonly status: number;
    readonly headers: WebHeaders;
    readonly body: AsyncIterable<Uint8Array> | null;
    json(): Promise<unknown>;
    text(): Promise<string>;
  }
>;

export type WebAbortSignal = Global<
  'AbortSignal',
  { readonly aborted: boolean; addEventListener(type: 'abort', listener: () => void): void }
>;

export type WebRequestInit = typeof globalThis extends {
  fetch: (url: string, init?: infer Init) => unknown;
}
  ? NonNullable<Init>
  : {
      readonly method?: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string | Uint8Array | AsyncIterable<Uint8Array>;
      readonly signal?: WebAbortSignal;
    };
