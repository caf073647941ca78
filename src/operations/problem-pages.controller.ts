import { Controller, Get, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Anonymous } from '../auth/index.js';
import { Describe } from './describe.js';
import { html } from './html.js';
import { inline } from './markdown.js';
import { sendNote } from './note-page.js';
import { readProblemPage } from './operations.description.js';
import { PROBLEM_PAGES, type ProblemSlug } from './problem-pages.js';
import { Problem } from './problem.js';

/** The pages that the `type` of a problem document points to. */
@Controller('problems')
@Anonymous()
export class ProblemPagesController {
  @Get(':slug')
  @Describe(readProblemPage)
  page(@Param('slug') slug: string, @Res() reply: FastifyReply): void {
    if (!Object.hasOwn(PROBLEM_PAGES, slug))
      throw new Problem('not-found', 'There is no problem of this kind.');
    const { status, title, advice } = PROBLEM_PAGES[slug as ProblemSlug];
    const text = html`<p>${inline(advice)}</p>
      <p class="soft"><code>${slug}</code>, status ${status}</p>`;
    sendNote(reply, { title, text, maxAge: 86_400 });
  }
}
