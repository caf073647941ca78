import { json, type OperationDescription, type Tag } from '../operations/describe.js';
import { PUBLIC } from '../operations/described-parts.js';

export const DISCOVERY: Tag = {
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
