import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { CheckedAnswers } from './support/checked-answers.js';
import { Contract } from './support/contract.js';
import type { Recorded } from './support/recorder.js';

const problem = (slug: string) => ({
  type: `https://muster.example/problems/${slug}`,
  title: 'No such mob',
  status: 404,
});

const described = {
  paths: {
    '/mobs/{id}': {
      put: {
        parameters: [{ $ref: '#/components/parameters/Dry' }],
        requestBody: {
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Mob' } } },
        },
        responses: {
          200: {
            headers: { ETag: { required: true, schema: { type: 'string', pattern: '^"' } } },
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Mob' } } },
          },
          204: {},
          404: {
            content: {
              'application/problem+json': {
                schema: { $ref: '#/components/schemas/Problem' },
                examples: { 'no-mob': { value: problem('no-mob') } },
              },
            },
          },
        },
      },
    },
  },
  components: {
    parameters: { Dry: { name: 'dry', in: 'query', schema: { type: 'integer', maximum: 1 } } },
    schemas: {
      Mob: { type: 'object', required: ['head'], properties: { head: { type: 'integer', minimum: 0 } } },
      Problem: {
        type: 'object',
        required: ['type'],
        properties: { type: { type: 'string' }, title: { type: 'string' }, status: { type: 'integer' } },
      },
    },
  },
};

const good: Recorded = {
  port: 1,
  method: 'PUT',
  url: '/mobs/m1?dry=1',
  requestType: 'application/json',
  requestBody: '{"head":3,"colour":"unknown members are ignored"}',
  status: 200,
  headers: [
    ['content-type', 'application/json; charset=utf-8'],
    ['etag', '"1"'],
  ],
  body: '{"head":3}',
  bytes: 10,
};

const refused: Recorded = {
  ...good,
  status: 404,
  headers: [['content-type', 'application/problem+json']],
  body: JSON.stringify(problem('no-mob')),
};

describe('an answer', () => {
  const contract = new Contract(described);

  it.each<[string, Recorded]>([
    ['that grants', good],
    ['that refuses', refused],
    ['without content', { ...good, status: 204, headers: [], bytes: 0 }],
    ['at an address that nobody described, saying so', { ...refused, url: '/paddocks' }],
    ['to a bad request that is refused', { ...refused, requestBody: '{"head":-1}' }],
  ])('%s is as described', (_what, answer) => {
    expect(contract.faults(answer)).toEqual([]);
  });

  it.each<[string, Recorded, RegExp]>([
    ['at an address that nobody described', { ...good, url: '/paddocks/p1' }, /operation is not described/],
    ['to a method that nobody described', { ...good, method: 'POST' }, /operation is not described/],
    ['of a status that is not described', { ...good, status: 201 }, /status is not described/],
    [
      'of another type',
      {
        ...good,
        headers: [
          ['content-type', 'text/csv'],
          ['etag', '"1"'],
        ],
      },
      /type text\/csv/,
    ],
    ['without a header', { ...good, headers: good.headers.slice(0, 1) }, /header ETag is missing/],
    [
      'with a bad header',
      { ...good, headers: [good.headers[0]!, ['etag', '1']] },
      /header ETag: it must match/,
    ],
    ['that lacks a member', { ...good, body: '{}' }, /required property 'head'/],
    ['with a member that is not described', { ...good, body: '{"head":3,"age":1}' }, /additional properties/],
    ['with a member of another kind', { ...good, body: '{"head":"3"}' }, /\/head must be integer/],
    [
      'of a problem that is not described',
      { ...refused, body: JSON.stringify(problem('no-farm')) },
      /no-farm is not described/,
    ],
    [
      'that grants a body that the description forbids',
      { ...good, requestBody: '{"head":-1}' },
      /granted request/,
    ],
    [
      'that grants a parameter that the description forbids',
      { ...good, url: '/mobs/m1?dry=2' },
      /must be <= 1/,
    ],
    ['with content where none is described', { ...good, status: 204 }, /application\/json is not described/],
  ])('%s is noticed', (_what, answer, fault) => {
    expect(contract.faults(answer).join('\n')).toMatch(fault);
  });
});

describe('a process whose answers are written down', () => {
  it('has each of them held against what it says of itself', async () => {
    const checked = new CheckedAnswers();
    const script = `
      const described = ${JSON.stringify({ paths: { '/openapi.json': { get: { responses: { 200: { content: { 'application/json': { schema: {} } } } } } } } })};
      require('node:http').createServer((request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(described));
      }).listen(0, '127.0.0.1', function () { console.log(this.address().port); });`;
    const child = spawn(process.execPath, ['-e', script], { env: { ...process.env, ...checked.env } });
    const [port] = (await once(child.stdout, 'data')) as [Buffer];
    const url = `http://127.0.0.1:${String(port).trim()}`;
    try {
      await checked.begin(url, 'a process of this test');
      expect(checked.faults()).toEqual([]);
      await fetch(`${url}/secret`);
      expect(checked.faults()).toEqual(['GET /secret -> 200: the operation is not described']);
      expect(checked.faults()).toEqual([]);
    } finally {
      child.kill();
      checked.end();
    }
  });
});
