import { globSync, readFileSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { expect, it } from '@jest/globals';

it('every kind of finding is explained to operators', () => {
  const [, table = ''] = readFileSync('docs/operations.md', 'utf8').split('## When the audit has findings');
  let group = '';
  const explained = [...table.matchAll(/^\| (`[^|]+`) +\|/gm)].flatMap(([, kinds = '']) =>
    [...kinds.matchAll(/`([^`]+)`/g)].map(([, kind = '']) => {
      if (!kind.startsWith('/')) [group = ''] = kind.split('/', 1);
      return kind.startsWith('/') ? `${group}${kind}` : kind;
    }),
  );
  const sources = globSync('src/**/*.ts', { exclude: ['**/*.spec.ts'] }).map((file) =>
    readFileSync(file, 'utf8'),
  );
  const kinds = new Set(
    sources
      .filter((text) => /: AuditRule|implements AuditRule|Finding\b/.test(text))
      .flatMap((text) => [...text.matchAll(/'([a-z]+\/[a-z]+(?:-[a-z]+)*)'/g)].map(([, kind = '']) => kind))
      .filter((kind) => /^(log|reports|reuse|jobs|content|ledger|schedules|webhooks)\//.test(kind)),
  );
  expect(kinds.size).toBeGreaterThan(30);
  expect([...kinds].filter((kind) => !explained.some((glob) => matchesGlob(kind, glob)))).toEqual([]);
});
