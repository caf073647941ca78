import { EXAMPLE_URL, header, headerParameter, parameter, queryParameter } from './describe.js';
import { PAGE } from './page.js';
import type { FieldProblem } from './problem.js';
import { address, named, object, optional, text, whole } from './schema.js';

// What the descriptions of several modules have in common.

export const NO_STORE = header(
  'NotStored',
  'Not to be stored.',
  { type: 'string', const: 'no-store' },
  'no-store',
);

export const REVALIDATED = header(
  'Revalidated',
  'To be kept by the caller only, and validated before each use.',
  { type: 'string', const: 'private, no-cache' },
  'private, no-cache',
);

/** Of an answer that anybody may keep for a while. */
export const PUBLIC = header(
  'Public',
  'May be kept by anybody for so many seconds.',
  { type: 'string', pattern: '^public, max-age=[0-9]+$', maxLength: 64 },
  'public, max-age=300',
);

export const ETAG = header(
  'ETag',
  'Strong validator, for If-None-Match.',
  { type: 'string', maxLength: 128 },
  '"n2jZoQ3h0VxWl9dQm0tCkq8c1yI"',
);

export const IF_NONE_MATCH = parameter(
  'IfNoneMatch',
  headerParameter(
    'If-None-Match',
    'The ETag of an earlier answer: 304 when nothing has changed since.',
    text('Entity tags.', { maxLength: 8192 }),
    '"n2jZoQ3h0VxWl9dQm0tCkq8c1yI"',
  ),
);

export const IF_MATCH = parameter(
  'IfMatch',
  headerParameter(
    'If-Match',
    'The ETag of an earlier answer: 412 when it has changed since.',
    text('Entity tags.', { maxLength: 8192 }),
    '"n2jZoQ3h0VxWl9dQm0tCkq8c1yI"',
  ),
);

export const LOCATION = header(
  'Location',
  'What was made.',
  { type: 'string', format: 'uri', maxLength: 4096 },
  `${EXAMPLE_URL}/v2/farms/farm-1`,
);

export const PAGE_LIMIT = parameter(
  'PageLimit',
  queryParameter(
    'limit',
    'How many a page holds at most.',
    whole('Entries of a page.', { format: 'int32', minimum: 1, maximum: PAGE.most, default: PAGE.default }),
    20,
  ),
);

export const PAGE_CURSOR = parameter(
  'PageCursor',
  queryParameter(
    'cursor',
    'Where the page begins, from the `next` link of the page before. It has no meaning of its own.',
    text('A cursor.', { maxLength: 16_384 }),
  ),
);

/** Of a list: `Link: <…>; rel="next"` while there is more. */
export const NEXT_HEADER = header(
  'NextPage',
  'The next page, `rel="next"` (RFC 8288); absent on the last one.',
  { type: 'string', maxLength: 65_536 },
  `<${EXAMPLE_URL}/v2/report?cursor=MTc1Mzk0ODgwMDAwMC5ycHQ>; rel="next"`,
  false,
);

export const PAGE_LINKS = named(
  'PageLinks',
  object<{ next?: string }>({
    next: optional(address('The next page; absent on the last one.', { maxLength: 65_536 })),
  }),
);

export const FIELD_PROBLEM = named(
  'FieldProblem',
  object<FieldProblem>(
    {
      pointer: text('JSON pointer to the bad field of the body, or `/` and the name of a parameter.', {
        maxLength: 1024,
      }),
      detail: text('What is wrong with it, in plain words.'),
    },
    { description: 'One bad field.' },
  ),
);
