import { captureSender, missingSender } from '../features/notifications/index.ts';
import type { Settings } from '../platform/config/settings.ts';
import { USER_AGENT } from './version.ts';

/** The code for mail is loaded only if a server is set. */
async function openMail(url: string, from: string) {
  const { createMailSmtp } = await import('../adapters/mail-smtp/index.ts');
  return createMailSmtp({ url, from });
}

/** The same for SMS, with an HTTP client that nothing else needs. */
async function openSms(url: string) {
  const { createSmsHttp } = await import('../adapters/sms-http/index.ts');
  return createSmsHttp({ url, userAgent: USER_AGENT });
}

/**
 * Sends through the configured servers. Without one, a sandbox captures messages, and production records the
 * missing setting.
 */
export async function openNotificationSenders({
  sandbox,
  smtpUrl,
  mailFrom,
  smsUrl,
}: Pick<Settings, 'sandbox' | 'smtpUrl' | 'mailFrom' | 'smsUrl'>) {
  const smtp = smtpUrl === undefined ? undefined : await openMail(smtpUrl, mailFrom);
  const sms = smsUrl === undefined ? undefined : await openSms(smsUrl);
  const without = (setting: string) => (sandbox ? captureSender : missingSender(`${setting} is not set`));
  return {
    mail: smtp ?? without('LINEKEEPER_SMTP_URL'),
    sms: sms ?? without('LINEKEEPER_SMS_URL'),
    /** Missing settings, without which notifications of a channel are recorded but not sent. */
    missing: Object.entries({ LINEKEEPER_SMTP_URL: smtp, LINEKEEPER_SMS_URL: sms })
      .filter(([, sender]) => !sandbox && sender === undefined)
      .map(([setting]) => setting),
    async close() {
      smtp?.close();
      await sms?.close();
    },
  };
}
