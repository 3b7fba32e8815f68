export const PAGE_DEFAULT = 100;
export const PAGE_MAX = 2_000;
/** With `$nopagination`. */
export const UNPAGED_MAX = 10_000;
/** Beyond it `$page` is the way: each page by number costs all those before it. */
export const PAGE_NUMBER_MAX = 1_000_000;
export const PROJECTION_MAX = 100;
export const SELECTION_MAX = 50;
export const PATH_MAX = 20;
/** Sensors of gateways in one answer. */
export const EXPANDED_MAX = 10_000;
/** Of the documents in one answer, expanded ones as often as they stand in it. */
export const ANSWER_MAX_CHARS = 64 * 1024 * 1024;
/** Of all devices in one answer. */
export const LICENSES_MAX = 100_000;
/** Disabled ones too: the work of a reading is bounded, and no rule is left out of it. */
export const RULES_PER_DEVICE_MAX = 100;
/** Of a rulechain, and of customdata, as JSON. */
export const DOCUMENT_MAX_BYTES = 256 * 1024;
