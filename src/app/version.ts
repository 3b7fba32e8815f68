import packageJson from '../../package.json' with { type: 'json' };

export const VERSION: string = packageJson.version;

/** The name of this service in its own requests. */
export const USER_AGENT = `Linekeeper/${VERSION}`;
