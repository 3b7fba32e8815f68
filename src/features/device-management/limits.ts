export const PAGE_DEFAULT = 100;
export const PAGE_MAX = 2_000;
/** With `$nopagination`. */
export const UNPAGED_MAX = 10_000;
/** Beyond this, clients must use `$page`: a page by number costs as much as all pages before it. */
export const PAGE_NUMBER_MAX = 1_000_000;
export const PROJECTION_MAX = 100;
export const SELECTION_MAX = 50;
export const PATH_MAX = 20;
/** Sensors of gateways in one response. */
export const EXPANDED_MAX = 10_000;
/** Total size of the documents in one response; an expanded document counts each time it appears. */
export const ANSWER_MAX_CHARS = 64 * 1024 * 1024;
/** Licences of all devices in one response. */
export const LICENSES_MAX = 100_000;
/** Includes disabled rules: this bounds the work per reading, and no rule is skipped. */
export const RULES_PER_DEVICE_MAX = 100;
/** Limit for a rulechain, and for customdata, as JSON. */
export const DOCUMENT_MAX_BYTES = 256 * 1024;
