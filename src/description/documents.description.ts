import { header, json, type OperationDescription, type Tag } from '../operations/describe.js';

export const DISCOVERY: Tag = {
  name: 'Discovery',
  description: 'What the service says of itself, open to everybody.',
};

/** Of an answer that anybody may keep for a while. */
export const PUBLIC = header(
  'Public',
  'May be kept by anybody for so many seconds.',
  { type: 'string', pattern: '^public, max-age=[0-9]+$', maxLength: 64 },
  'public, max-age=300',
);

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
