import { createMailSmtp } from '../adapters/mail-smtp/index.ts';
import { createSmsHttp } from '../adapters/sms-http/index.ts';
import { type Channel, captureWay, noWay, type Way } from '../features/notifications/index.ts';
import type { Settings } from '../platform/config/settings.ts';
import { VERSION } from './version.ts';

export interface NotificationSenders extends Readonly<Record<Channel, Way>> {
  /** Settings without which notifications of a channel are recorded and not sent. */
  readonly missing: readonly string[];
  close(): Promise<void>;
}

/** Through the servers that are set; without one a sandbox captures, and production says so. */
export function openNotificationSenders({
  sandbox,
  smtpUrl,
  mailFrom,
  smsUrl,
}: Pick<Settings, 'sandbox' | 'smtpUrl' | 'mailFrom' | 'smsUrl'>): NotificationSenders {
  const smtp = smtpUrl === undefined ? undefined : createMailSmtp({ url: smtpUrl, from: mailFrom });
  const sms =
    smsUrl === undefined ? undefined : createSmsHttp({ url: smsUrl, userAgent: `Linekeeper/${VERSION}` });
  const without = (setting: string) => (sandbox ? captureWay : noWay(`${setting} is not set`));
  return {
    mail: smtp ?? without('LINEKEEPER_SMTP_URL'),
    sms: sms ?? without('LINEKEEPER_SMS_URL'),
    missing: sandbox
      ? []
      : [
          ...(smtp === undefined ? ['LINEKEEPER_SMTP_URL'] : []),
          ...(sms === undefined ? ['LINEKEEPER_SMS_URL'] : []),
        ],
    async close() {
      smtp?.close();
      await sms?.close();
    },
  };
}
