import { glob, readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { PROBLEM_PAGES } from './problem-pages.js';

it('every problem that the code raises has a page', async () => {
  const raised = new Set<string>();
  for await (const path of glob('src/**/*.ts')) {
    if (path.endsWith('.spec.ts')) continue;
    const text = await readFile(path, 'utf8');
    for (const [, slug] of text.matchAll(/(?:new Problem|super)\(\s*'([a-z]+(?:-[a-z]+)*)',\s*\d{3}/g))
      raised.add(slug!);
  }
  expect(raised.size).toBeGreaterThan(10);
  expect([...raised].filter((slug) => !Object.hasOwn(PROBLEM_PAGES, slug))).toEqual([]);
});
