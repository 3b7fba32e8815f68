import { describe } from 'node:test';
import { ACCOUNT, inBrowser, openMainConsole } from './support/scene.ts';

const scene = await openMainConsole();
const at = (page: string) => `/accounts/${ACCOUNT}/${page}`;

describe('callbacks', () => {
  inBrowser(
    scene,
    'a test event is sent, its attempt shows body and answer, and what failed is sent again',
    async ({ open, shoot, listener, world }) => {
      const page = await open(at('callbacks'), 'user');
      const sendTest = async () => {
        await page.getByRole('button', { name: 'Send a test event' }).click();
        await page.getByLabel('Event', { exact: true }).selectOption({ index: 0 });
        await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
      };
      await sendTest();
      const log = page.getByRole('table', { name: 'Callbacks' });
      await log.getByText('Delivered').first().waitFor();
      await log.getByRole('row').nth(1).getByRole('button').click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('answered 200').waitFor();
      await shoot(page, 'callback');
      await page.keyboard.press('Escape');

      listener.answer = 500;
      const heard = listener.heard.length;
      await sendTest();
      await listener.next(heard + 1);
      await log.getByText('Pending').first().waitFor();
      // The clock runs through the whole series of attempts, five minutes apart.
      await world.operator('POST', '/clock', { advance: 'PT1H' });
      await log.getByText('Failed').first().waitFor();
      listener.answer = 200;
      await shoot(page, 'callbacks');
      await page.getByRole('button', { name: 'Re-send failed' }).click();
      await dialog.getByText('One failed callback of the account will be re-sent').waitFor();
      await dialog.getByRole('button', { name: 'Re-send' }).click();
      await page.getByText('1 re-sent', { exact: true }).waitFor();
      await log.getByText('Failed').waitFor({ state: 'detached' });
    },
  );

  inBrowser(
    scene,
    'a listener is registered in a form, and refused in words where its address is not allowed',
    async ({ open, listener }) => {
      const page = await open(at('callbacks'), 'user');
      await page.getByRole('button', { name: 'Register a listener' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Service').selectOption('NiddService');
      await dialog.getByLabel('Address').fill('ftp://127.0.0.1/hook');
      await dialog.getByRole('button', { name: 'Register' }).click();
      await dialog.getByRole('alert').waitFor();
      await dialog.getByLabel('Address').fill(listener.url);
      await dialog.getByRole('button', { name: 'Register' }).click();
      await dialog.getByText(/^whsec_/).waitFor();
      await dialog.getByRole('button', { name: 'Done' }).click();
      await page.getByRole('table', { name: 'Listeners' }).getByText('NiddService').waitFor();
    },
  );
});
