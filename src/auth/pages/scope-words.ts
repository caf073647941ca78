import type { Scope } from '../principal.js';

export const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
  'read:reports': 'See and download reports',
  'write:reports': 'Ask for new reports and cancel them',
  'read:records': 'See farm records: stock, paddocks, sales, treatments',
  'write:records': 'Add, change and remove farm records',
};

/** What a scope lets an application do, said to a farmer. */
export function inPlainWords(scope: string): string {
  return Object.hasOwn(SCOPE_WORDS, scope) ? SCOPE_WORDS[scope as Scope] : scope;
}
