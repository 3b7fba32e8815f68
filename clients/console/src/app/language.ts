/**
 * A browser may report an invalid language tag, such as en-US@posix from shell settings. Libraries pass it to
 * Intl on load, and Intl throws. The console is in English only, so it replaces an invalid tag with English.
 */
function isTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

if (!isTag(navigator.language)) {
  Object.defineProperty(navigator, 'language', { value: 'en', configurable: true });
  Object.defineProperty(navigator, 'languages', { value: ['en'], configurable: true });
}

export {};
