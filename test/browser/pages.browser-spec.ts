import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AxeResults } from 'axe-core';
import { Client as Pg } from 'pg';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { Ground, PASSWORD, postToken } from '../oauth-ground.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const SCREENSHOTS = process.env.MUSTER_SCREENSHOTS ?? join(tmpdir(), 'muster-screenshots');
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const WATCH_SHIFTS = `
  shifted = 0;
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) shifted += value;
  }).observe({ type: 'layout-shift', buffered: true });`;
const MEASURE = `({
  overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  shifted,
})`;
const FOCUSED = 'document.activeElement.id || document.activeElement.textContent.trim()';
const DESK = { width: 1280, height: 800 };
const PHONE = { width: 320, height: 640 };
/** Software draws a page of many thousand pixels, on whatever machine. */
const SLOWEST_MS = 30_000;

let ground: Ground;
let browser: Browser;
let owner: Pg;
/** The application: whoever comes back to it reads so. */
let application: Server;
let back: string;

beforeAll(async () => {
  await mkdir(SCREENSHOTS, { recursive: true });
  application = createServer((_request, response) => {
    response
      .setHeader('content-type', 'text/html')
      .end('<!doctype html><title>Paddock Book</title><h1>Back at Paddock Book</h1>');
  }).listen(0, '127.0.0.1');
  ground = await Ground.prepare();
  await ground.addPerson('one@example.org', ['farm-9']);
  await ground.addPerson('nofarm@example.org', ['farm-x']);
  owner = new Pg(ground.database.ownerUrl);
  await owner.connect();
  await owner.query(`DELETE FROM person_farm WHERE farm_id = 'farm-x'`);
  back = `http://127.0.0.1:${(application.address() as AddressInfo).port}/back`;
  browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
});

afterAll(async () => {
  await browser.close();
  await owner.end();
  application.close();
  await ground.end();
});

async function newClient(name = 'Paddock Book'): Promise<{ id: string; secret: string; address: string }> {
  const { id, secret } = await ground.addClient({ name, redirectUris: [back] });
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: id,
    redirect_uri: back,
    state: 'here',
  });
  return { id, secret, address: `${ground.url}/oauth2/authorize?${query.toString()}` };
}

/** A page in a browser of its own that counts how much its layout shifts. */
async function openPage(
  options: BrowserContextOptions = {},
): Promise<{ page: Page; context: BrowserContext }> {
  const context = await browser.newContext({ viewport: DESK, ...options });
  await context.addInitScript(WATCH_SHIFTS);
  const page = await context.newPage();
  page.setDefaultTimeout(SLOWEST_MS);
  return { page, context };
}

async function signIn(page: Page, password = PASSWORD, email = 'farmer@example.org'): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** No shift of the layout, no sideways scrolling, no finding of axe; and a picture to look at. */
async function expectGoodPage(page: Page, name: string): Promise<void> {
  expect(await page.evaluate(MEASURE)).toEqual({ overflow: 0, shifted: 0 });
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true });
  await page.evaluate(AXE);
  const { violations } = await page.evaluate<AxeResults>('axe.run()');
  expect(violations.map(({ id, nodes }) => ({ id, at: nodes.map(({ html }) => html) }))).toEqual([]);
}

describe('a person', () => {
  it('signs in after a wrong password, chooses farms, allows, and is back at the application with a code', async () => {
    const client = await newClient();
    const { page, context } = await openPage();
    await page.goto(client.address);
    await page.waitForFunction(`(${FOCUSED}) === 'email'`);
    await signIn(page, 'not my password');
    expect(await page.getByRole('alert').textContent()).toBe(
      'The email address or the password is not right.',
    );
    expect(await page.getByLabel('Email address').inputValue()).toBe('farmer@example.org');
    await signIn(page);
    await page.getByRole('heading', { name: 'Allow Paddock Book?' }).waitFor();
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    expect(await page.getByRole('alert').textContent()).toBe('Choose at least one farm.');
    await page.getByLabel('farm-2').check();
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await page.getByRole('heading', { name: 'Back at Paddock Book' }).waitFor();

    const { searchParams } = new URL(page.url());
    expect(Object.fromEntries(searchParams)).toMatchObject({ state: 'here', iss: ground.url });
    const code = searchParams.get('code') ?? '';
    const tokens = await postToken(ground.url, client, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: back,
    });
    expect(tokens.status).toBe(200);

    await page.goto(client.address);
    await page.getByRole('heading', { name: 'Back at Paddock Book' }).waitFor(); // Not asked again.
    await context.close();
  });

  it('who does not allow is back with access_denied', async () => {
    const { page, context } = await openPage();
    await page.goto((await newClient()).address);
    await signIn(page);
    await page.getByRole('button', { name: 'Do not allow' }).click();
    await page.waitForURL(`${back}?*`);
    expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied');
    await context.close();
  });

  it('whose session has ended signs in again, and is asked again', async () => {
    const { page, context } = await openPage();
    await page.goto((await newClient()).address);
    await signIn(page);
    await page.getByLabel('farm-1').check();
    await owner.query('DELETE FROM person_session');
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    expect(await page.getByRole('alert').textContent()).toContain('Your session has ended');
    await signIn(page);
    await page.getByRole('heading', { name: 'Allow Paddock Book?' }).waitFor();
    await context.close();
  });

  it('who goes back finds pages that work', async () => {
    const { page, context } = await openPage();
    await page.goto((await newClient()).address);
    await signIn(page);
    await page.getByLabel('farm-1').check();
    await page.getByRole('button', { name: 'Do not allow' }).click();
    await page.getByRole('heading', { name: 'Back at Paddock Book' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Allow Paddock Book?' }).waitFor();
    await page.getByLabel('farm-1').check();
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await page.getByRole('heading', { name: 'Back at Paddock Book' }).waitFor();
    expect(new URL(page.url()).searchParams.has('code')).toBe(true);
    await context.close();
  });

  it('who has only a keyboard gets all the way', async () => {
    const { page, context } = await openPage();
    await page.goto((await newClient()).address);
    await page.waitForFunction(`(${FOCUSED}) === 'email'`);
    await page.keyboard.type('farmer@example.org');
    await page.keyboard.press('Tab');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Allow Paddock Book?' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space'); // farm-1
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(FOCUSED)).toBe('Allow');
    await page.screenshot({ path: join(SCREENSHOTS, 'consent-keyboard.png'), fullPage: true });
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Back at Paddock Book' }).waitFor();
    expect(new URL(page.url()).searchParams.has('code')).toBe(true);
    await context.close();
  });

  it('whose browser runs no scripts gets all the way, the one farm chosen already', async () => {
    const { page, context } = await openPage({ javaScriptEnabled: false });
    await page.goto((await newClient()).address);
    await signIn(page, PASSWORD, 'one@example.org');
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await page.waitForURL(`${back}?*`);
    expect(new URL(page.url()).searchParams.has('code')).toBe(true);
    await context.close();
  });

  it('sees what has access, withdraws it, and signs out', async () => {
    const client = await newClient('Stock Almanac');
    const { page, context } = await openPage();
    await page.goto(client.address);
    await signIn(page);
    await page.getByLabel('farm-1').check();
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await page.getByRole('heading', { name: 'Back at Paddock Book' }).waitFor();
    const code = new URL(page.url()).searchParams.get('code') ?? '';
    const { json } = await postToken(ground.url, client, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: back,
    });
    await page.goto(`${ground.url}/account/applications`);
    await expectGoodPage(page, 'applications-desk');
    await page.setViewportSize(PHONE);
    await page.reload();
    await expectGoodPage(page, 'applications-phone');
    const entry = page.getByRole('article').filter({ hasText: 'Stock Almanac' });
    await entry.getByRole('button', { name: 'Withdraw access' }).click();
    await page.getByRole('heading', { name: 'Stock Almanac' }).waitFor({ state: 'detached' });
    const refreshed = await postToken(ground.url, client, {
      grant_type: 'refresh_token',
      refresh_token: String(json.refresh_token),
    });
    expect(refreshed.status).toBe(400);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await context.close();
  });
});

describe('the pages', () => {
  const VIEWS: [string, BrowserContextOptions][] = [
    ['desk', { viewport: DESK }],
    ['phone', { viewport: PHONE }],
    ['phone-dark', { viewport: PHONE, colorScheme: 'dark' }],
    ['desk-dark', { viewport: DESK, colorScheme: 'dark' }],
  ];

  it.each(VIEWS)('are legible, calm and accessible: %s', async (view, options) => {
    const { page, context } = await openPage(options);
    const client = await newClient('The Upper Murrumbidgee Livestock Accounting & Advisory Co-operative');
    await page.goto(client.address);
    await expectGoodPage(page, `sign-in-${view}`);
    await signIn(page, 'not my password');
    await expectGoodPage(page, `wrong-password-${view}`);
    await signIn(page);
    await page.getByLabel('farm-1').check();
    await expectGoodPage(page, `consent-${view}`);
    await page.getByLabel('farm-1').uncheck();
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await expectGoodPage(page, `choose-a-farm-${view}`);
    await page.goto(`${ground.url}/oauth2/authorize?client_id=nobody`);
    await expectGoodPage(page, `unknown-client-${view}`);
    await page.goto(`${ground.url}/oauth2/errors`);
    await expectGoodPage(page, `errors-${view}`);
    await page.goto(`${ground.url}/docs`);
    await expectGoodPage(page, `docs-${view}`);
    await page.goto(`${ground.url}/problems/report-not-found`);
    await expectGoodPage(page, `problem-${view}`);
    await page.goto(`${ground.url}/docs/deprecations`);
    await expectGoodPage(page, `deprecations-${view}`);
    await page.goto(ground.url);
    expect(new URL(page.url()).pathname).toBe('/docs');
    await context.close();
  });

  it('tell a person without a farm so', async () => {
    const { page, context } = await openPage();
    await page.goto((await newClient()).address);
    await signIn(page, PASSWORD, 'nofarm@example.org');
    await page.getByRole('heading', { name: 'No farm to share' }).waitFor();
    await expectGoodPage(page, 'no-farm');
    await context.close();
  });

  it('may not be framed', async () => {
    const { page, context } = await openPage();
    const { address } = await newClient();
    await page.goto(back);
    await page.setContent(`<iframe src="${address.replaceAll('&', '&amp;')}"></iframe>`);
    await page.waitForTimeout(300);
    const framed = page.frames().at(1);
    expect(await framed?.getByRole('button').count()).toBe(0);
    await context.close();
  });
});
