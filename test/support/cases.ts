/** How many cases a test draws: a few on every change, and all of them in `npm run test:all`. */
export const casesOf = (cases: { readonly everyday: number; readonly all: number }): number =>
  process.env['TEST_ALL'] === undefined ? cases.everyday : cases.all;
