import packageJson from '../../package.json' with { type: 'json' };

export const VERSION: string = packageJson.version;

/** What this service says that it is when it calls others. */
export const USER_AGENT = `Linekeeper/${VERSION}`;
