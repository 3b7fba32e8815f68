/**
 * A browser may have a language tag that is none, such as en-US@posix from the settings of a shell. Libraries hand it to Intl,
 * which throws, when they are loaded. The console writes English anyway: whoever asks then hears that.
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
