/** Mutants that change nothing anyone could see, as they are printed, with the reason. */
export const EQUAL: ReadonlyMap<string, string> = new Map([]);
