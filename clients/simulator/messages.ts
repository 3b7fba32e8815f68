/** What the one who started the simulator asks of it; each gets one answer with the same number. */
export type Asked = { readonly nr: number } & (
  | { readonly tick: { readonly until: string; readonly passing: boolean; readonly since?: string } }
  | { readonly speed: number }
);

export type Told =
  | { readonly ready: true }
  | { readonly nr: number; readonly done: object }
  | { readonly nr: number; readonly failed: string };
