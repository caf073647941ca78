import { Refused } from './refused.js';

/** A page, or the address that the browser was sent on to. */
export interface Shown {
  readonly url: URL;
  readonly html: string;
}

/** As much of a browser as signing in takes: one cookie jar for one site, forms, and redirects within that site. */
export class Browser {
  private cookie = '';

  /** Opens a page. A redirect to another site is not followed: the answer is its address, with an empty page. */
  async open(url: URL, form?: URLSearchParams): Promise<Shown> {
    const response = await fetch(url, {
      method: form ? 'POST' : 'GET',
      headers: this.cookie ? { cookie: this.cookie } : {},
      redirect: 'manual',
      ...(form && { body: form }),
    });
    this.cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? this.cookie;
    const html = await response.text();
    const location = response.headers.get('location');
    if (location === null) {
      if (!response.ok) throw new Refused(`${url.pathname}: ${response.status}`);
      return { url, html };
    }
    const next = new URL(location, url);
    return next.origin === url.origin ? this.open(next) : { url: next, html: '' };
  }

  /** Sends the page's form with what it hides and what the person fills in. */
  submit({ url, html }: Shown, filledIn: Readonly<Record<string, string>>): Promise<Shown> {
    const hidden = [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
    const fields = hidden.map(([, name = '', value = '']) => [name, value]);
    return this.open(url, new URLSearchParams([...fields, ...Object.entries(filledIn)]));
  }
}
