import { json, type OperationDescription, type Tag } from '../operations/describe.js';
import { LOCATION, PUBLIC } from '../operations/described-parts.js';
import { PAGE_HTML } from '../operations/operations.description.js';

const DISCOVERY: Tag = {
  name: 'Discovery',
  description: 'What the service says of itself, open to everybody.',
};

export const readOpenApi: OperationDescription = {
  id: 'readOpenApi',
  tag: DISCOVERY,
  summary: 'Read this description',
  description: 'The HTTP interface in OpenAPI 3.1.',
  answers: {
    200: {
      description: 'The document.',
      headers: { 'Cache-Control': PUBLIC },
      content: json(
        { type: 'object', description: 'An OpenAPI document.' },
        { openapi: '3.1.1', info: { title: 'Muster', version: '2' } },
      ),
    },
  },
};

export const readAsyncApi: OperationDescription = {
  id: 'readAsyncApi',
  tag: DISCOVERY,
  summary: 'Read the description of events and webhooks',
  description: 'What the service tells by itself, in AsyncAPI 3.0.',
  answers: {
    200: {
      description: 'The document.',
      headers: { 'Cache-Control': PUBLIC },
      content: json(
        { type: 'object', description: 'An AsyncAPI document.' },
        { asyncapi: '3.0.0', info: { title: 'Muster, events and webhooks', version: '2' } },
      ),
    },
  },
};

export const findGuide: OperationDescription = {
  id: 'findGuide',
  tag: DISCOVERY,
  summary: 'Find the guide',
  description: 'The address of the service itself leads to the guide.',
  answers: { 302: { description: 'To the guide.', headers: { Location: LOCATION } } },
};

export const readGuide: OperationDescription = {
  id: 'readGuide',
  tag: DISCOVERY,
  summary: 'Read the guide',
  description: 'A page for people: a first report, ways of waiting, errors, and every operation.',
  answers: { 200: { description: 'The page.', headers: { 'Cache-Control': PUBLIC }, content: PAGE_HTML } },
};
