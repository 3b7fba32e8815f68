/** Requests from the parent process; each gets one answer with the same number. */
export type Asked = { readonly nr: number } & (
  | { readonly tick: AskedTick }
  | { readonly speed: number }
  | { readonly skip: { readonly until: string } }
);

interface AskedTick {
  readonly until: string;
  readonly passing: boolean;
  readonly since?: string;
  readonly next?: string;
  readonly changed?: boolean;
}

export type Report =
  | { readonly ready: true }
  /** The sandbox's time should run faster, and is behind by this much. */
  | { readonly behindMs: number }
  | { readonly nr: number; readonly done: object }
  | { readonly nr: number; readonly failed: string };
