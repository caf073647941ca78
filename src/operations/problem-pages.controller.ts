import { Controller, Get, Header, Param } from '@nestjs/common';
import { Anonymous } from '../auth/index.js';
import { PROBLEM_PAGES, type ProblemSlug } from './problem-pages.js';
import { Problem } from './problem.js';
import { Describe } from './describe.js';
import { readProblemPage } from './operations.description.js';

/** The pages that the `type` of a problem document points to. */
@Controller('problems')
@Anonymous()
export class ProblemPagesController {
  @Get(':slug')
  @Header('Content-Type', 'text/html; charset=utf-8')
  @Header('Cache-Control', 'public, max-age=86400')
  @Header('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
  @Describe(readProblemPage)
  page(@Param('slug') slug: string): string {
    if (!Object.hasOwn(PROBLEM_PAGES, slug))
      throw new Problem('not-found', 'There is no problem of this kind.');
    const { status, title, advice } = PROBLEM_PAGES[slug as ProblemSlug];
    return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title} · Muster</title>
<style>:root { color-scheme: light dark } body { font: 1.125rem/1.6 system-ui, sans-serif; max-width: 40rem; margin: 3rem auto; padding: 0 1rem }</style>
<main>
<h1>${title}</h1>
<p>${advice}</p>
<p><code>${slug}</code>, status ${status}</p>
</main>
`;
  }
}
