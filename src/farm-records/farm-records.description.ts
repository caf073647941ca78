import {
  EXAMPLE_URL,
  json,
  type OperationDescription,
  parameter,
  pathParameter,
  queryParameter,
  type Tag,
} from '../operations/describe.js';
import {
  FIELD_PROBLEM,
  LOCATION,
  NEXT_HEADER,
  NO_STORE,
  PAGE_CURSOR,
  PAGE_LIMIT,
  PAGE_LINKS,
} from '../operations/described-parts.js';
import { PAGE } from '../operations/page.js';
import {
  address,
  choice,
  list,
  mapOf,
  named,
  object,
  optional,
  type Schema,
  text,
  whole,
} from '../operations/schema.js';
import { ANIMAL_UNITS, AREA_UNITS, type Farm, PRESCRIBED_NATURAL_INCREASE } from './farm.js';
import { ERRORS_TOLD, type ImportSummary, type ItemResult } from './import-tally.js';
import { READERS } from './resources/index.js';

const FARMS: Tag = { name: 'Farms', description: 'Farms, and what they say about themselves.' };
const RECORDS: Tag = {
  name: 'Farm records',
  description: 'What happened on a farm, as reports read it: import records, read them back.',
};

const SETTINGS: Readonly<Record<Exclude<keyof Farm, 'id'>, Schema>> = {
  name: text('What people call it.', { minLength: 1, maxLength: 120 }),
  timeZone: text('Time zone of the IANA database: every day of the farm is a day of this zone.', {
    minLength: 1,
    maxLength: 64,
    examples: ['Australia/Sydney'],
  }),
  animalUnit: choice(
    'The animal unit of its reports: dry sheep equivalent, adult equivalent, livestock unit or animal unit.',
    ANIMAL_UNITS,
  ),
  areaUnit: choice('The area unit of its reports.', AREA_UNITS),
  currency: text('Its currency (ISO 4217).', { pattern: '^[A-Z]{3}$', maxLength: 3, examples: ['AUD'] }),
  financialYearStart: text('First day of its financial year, MM-DD.', {
    pattern: '^[0-9]{2}-[0-9]{2}$',
    maxLength: 5,
    examples: ['07-01'],
  }),
  naturalIncreaseValues: mapOf(
    `What an animal born is worth, in the farm's currency, by species in lower case; for others the prescribed values hold: ${Object.entries(
      PRESCRIBED_NATURAL_INCREASE,
    )
      .map(([species, value]) => `${species} ${value}`)
      .join(', ')}.`,
    { description: 'An exact decimal.', type: ['string', 'number'], maxLength: 40 },
  ),
};

const FARM = named(
  'Farm',
  object<Farm>(
    { id: text('Its id.', { minLength: 1, maxLength: 100 }), ...SETTINGS },
    { description: 'A farm.' },
  ),
);

const FARM_SETTINGS = named('FarmSettings', {
  type: 'object',
  description:
    'What a farm says about itself. What is left out stays as it is; a new farm has the defaults `ae`, `ha`, `AUD`, `07-01`.',
  required: ['name', 'timeZone'],
  properties: SETTINGS,
});

interface FarmAnswer {
  data: Farm;
  links: { self: string; records: string };
}

const FARM_ANSWER = named(
  'FarmAnswer',
  object<FarmAnswer>({
    data: FARM,
    links: object<FarmAnswer['links']>({ self: address('This farm.'), records: address('Its records.') }),
  }),
);

const FARM_EXAMPLE = {
  id: 'farm-1',
  name: 'Home',
  timeZone: 'Australia/Sydney',
  animalUnit: 'dse',
  areaUnit: 'ha',
  currency: 'AUD',
  financialYearStart: '07-01',
  naturalIncreaseValues: { sheep: '54' },
};
const { id: _, ...SETTINGS_EXAMPLE } = FARM_EXAMPLE;
const FARM_LINKS = {
  self: `${EXAMPLE_URL}/v2/farms/farm-1`,
  records: `${EXAMPLE_URL}/v2/farms/farm-1/records`,
};

const FARM_ID = parameter(
  'FarmId',
  pathParameter('farmId', 'The id of the farm.', text('A farm id.', { maxLength: 512 }), 'farm-1'),
);

export const saveFarm: OperationDescription = {
  id: 'saveFarm',
  tag: FARMS,
  summary: 'Create or change a farm',
  description: 'A new time zone moves every day of the farm: its records are read anew.',
  parameters: [FARM_ID],
  body: {
    description: 'What the farm says about itself.',
    required: true,
    content: json(FARM_SETTINGS, SETTINGS_EXAMPLE),
  },
  answers: {
    200: {
      description: 'The farm as it is now.',
      content: json(FARM_ANSWER, { data: FARM_EXAMPLE, links: FARM_LINKS }),
    },
    201: {
      description: 'The new farm.',
      headers: { Location: LOCATION },
      content: json(FARM_ANSWER, { data: FARM_EXAMPLE, links: FARM_LINKS }),
    },
  },
  problems: ['invalid-request', 'farm-not-accessible', 'farm-not-found'],
};

export const listFarms: OperationDescription = {
  id: 'listFarms',
  tag: FARMS,
  summary: 'List farms',
  description: 'The farms that the credential reaches, in the order of their ids, in pages.',
  parameters: [PAGE_LIMIT, PAGE_CURSOR],
  answers: {
    200: {
      description: 'A page of farms.',
      headers: { Link: NEXT_HEADER },
      content: json(
        named(
          'FarmList',
          object<{ data: readonly Farm[]; links: object }>({
            data: list('Farms.', FARM, PAGE.most),
            links: PAGE_LINKS,
          }),
        ),
        { data: [FARM_EXAMPLE], links: {} },
      ),
    },
  },
  problems: ['invalid-request'],
};

export const readFarm: OperationDescription = {
  id: 'readFarm',
  tag: FARMS,
  summary: 'Read a farm',
  description: 'What the farm says about itself.',
  parameters: [FARM_ID],
  answers: {
    200: {
      description: 'The farm.',
      content: json(FARM_ANSWER, { data: FARM_EXAMPLE, links: FARM_LINKS }),
    },
  },
  problems: ['farm-not-accessible', 'farm-not-found'],
};

const RECORD = named('FarmRecord', {
  type: 'object',
  description:
    'A resource of the ICAR Animal Data Exchange standard, as it is, or one of the native resources; `meta.source` and `meta.sourceId` say which record it is, the later `meta.modified` wins, `meta.isDeleted` removes.',
  required: ['resourceType', 'meta'],
  properties: {
    resourceType: choice('What it is.', [...READERS.keys()]),
    meta: {
      type: 'object',
      description: 'Which record it is, and which version of it.',
      required: ['source', 'sourceId', 'modified'],
      properties: {
        source: text('The system it comes from.', { minLength: 1, maxLength: 120 }),
        sourceId: text('Its id in that system.', { minLength: 1, maxLength: 120 }),
        modified: text('When that system changed it last.', { format: 'date-time', maxLength: 64 }),
        isDeleted: { type: 'boolean', description: 'It is no more.' },
      },
      additionalProperties: true,
    },
  },
  additionalProperties: true,
});

const RECORD_EXAMPLE = {
  resourceType: 'OpeningStock',
  id: 'o1',
  meta: { source: 'stock-book', sourceId: 'o1', modified: '2024-07-01T00:00:00Z' },
  date: '2024-07-01',
  lines: [
    {
      species: 'Sheep',
      ageClass: 'ewe',
      enterpriseId: 'wool',
      mobId: 'm1',
      paddockId: 'p1',
      head: 120,
      value: '9600',
    },
  ],
};

const ITEM_RESULT = named(
  'ItemResult',
  object<ItemResult>(
    {
      index: whole('Its place in the list that was sent.'),
      status: choice('What became of it.', ['accepted', 'replaced', 'unchanged', 'rejected']),
      id: optional(text("The record's id in its source.", { maxLength: 512 })),
      errors: optional(list('What is wrong with it.', FIELD_PROBLEM)),
    },
    { description: 'What became of an item.' },
  ),
);

const IMPORT_ERROR = named('ImportError', {
  type: 'object',
  description: 'What is wrong with an item.',
  required: ['pointer', 'detail'],
  properties: {
    line: whole('Its line, from 1, when NDJSON or CSV was sent.'),
    index: whole('Its place in the list, from 0, when JSON was sent.'),
    pointer: text('JSON pointer to the bad field of the item; of CSV the name of the column, after a slash.'),
    detail: text('What is wrong with it.'),
  },
});

const IMPORT_SUMMARY = named(
  'ImportSummary',
  object<ImportSummary>(
    {
      accepted: whole('New records.'),
      replaced: whole('Records that replaced an earlier version.'),
      unchanged: whole('Records that were known, in this version or a later one.'),
      rejected: whole('Items with errors; nothing of them was taken.'),
      errors: list(`The first ${ERRORS_TOLD} errors.`, IMPORT_ERROR, ERRORS_TOLD),
      items: optional(list('What became of each item, for JSON of up to 1,000 items.', ITEM_RESULT, 1000)),
    },
    { description: 'What became of an import.' },
  ),
);

export const importRecords: OperationDescription = {
  id: 'importRecords',
  tag: RECORDS,
  summary: 'Import records',
  description:
    'Takes what is in order and says what is not: a bad item never spoils its neighbours. Sending the same records again changes nothing. JSON may be 64 MiB large; NDJSON and CSV are streamed, of any size.',
  parameters: [FARM_ID],
  body: {
    description: 'The records.',
    required: true,
    content: {
      'application/json': {
        schema: {
          description: 'One resource, a list of them, or a collection.',
          oneOf: [
            RECORD,
            { type: 'array', description: 'Resources.', items: RECORD, maxItems: 1_000_000 },
            {
              type: 'object',
              description: 'A collection, as ICAR writes it.',
              required: ['member'],
              properties: { member: list('Resources.', RECORD, 1_000_000) },
            },
          ],
        },
        example: [RECORD_EXAMPLE],
      },
      'application/x-ndjson': {
        schema: text('A resource a line, each up to 1 MiB long.', { maxLength: Number.MAX_SAFE_INTEGER }),
        example: `${JSON.stringify(RECORD_EXAMPLE)}\n`,
      },
      'text/csv': {
        schema: text(
          'A header and a row a record, as a spreadsheet saves them: openings, births, purchases, sales, deaths, arrivals and departures, paddocks and moves, transfers, reclassifications, counts, treatments and feedings (docs/import-csv.md).',
          { maxLength: Number.MAX_SAFE_INTEGER },
        ),
        example: 'record,id,date,species,age_class,mob,head\r\nopening,o1,2024-07-01,Sheep,ewe,m1,120\r\n',
      },
    },
  },
  answers: {
    200: {
      description: 'What became of the records, rejected ones too.',
      content: json(named('ImportAnswer', object<{ data: ImportSummary }>({ data: IMPORT_SUMMARY })), {
        data: {
          accepted: 1,
          replaced: 0,
          unchanged: 0,
          rejected: 0,
          errors: [],
          items: [{ index: 0, status: 'accepted', id: 'o1' }],
        },
      }),
    },
  },
  problems: ['malformed-csv', 'farm-not-accessible', 'farm-not-found', 'farm-changed'],
};

export const listRecords: OperationDescription = {
  id: 'listRecords',
  tag: RECORDS,
  summary: 'Read records back',
  description:
    'Records as they were sent, in the order of their sources and ids, those that were removed too.',
  parameters: [
    FARM_ID,
    queryParameter(
      'resourceType',
      'Records of this type.',
      text('A resource type.', { maxLength: 512 }),
      'OpeningStock',
    ),
    PAGE_LIMIT,
    PAGE_CURSOR,
  ],
  answers: {
    200: {
      description: 'A page of records.',
      headers: { 'Cache-Control': NO_STORE, Link: NEXT_HEADER },
      content: json(
        named(
          'RecordList',
          object<{ data: readonly object[]; links: object }>({
            data: list('Records.', RECORD, PAGE.most),
            links: PAGE_LINKS,
          }),
        ),
        { data: [RECORD_EXAMPLE], links: {} },
      ),
    },
  },
  problems: ['invalid-request', 'farm-not-accessible', 'farm-not-found'],
};
