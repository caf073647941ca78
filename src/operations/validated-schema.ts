import { getMetadataStorage } from 'class-validator';
import { object, type Schema } from './schema.js';

type Rule = (constraints: readonly unknown[]) => Schema;

/** What the validators that bodies use mean in JSON Schema. */
const RULES: Readonly<Record<string, Rule>> = {
  isString: () => ({ type: 'string' }),
  isInt: () => ({ type: 'integer', format: 'int64' }),
  isBoolean: () => ({ type: 'boolean' }),
  isArray: () => ({ type: 'array' }),
  min: ([minimum]) => ({ minimum }),
  max: ([maximum]) => ({ maximum }),
  minLength: ([minLength]) => ({ minLength }),
  maxLength: ([maxLength]) => ({ maxLength }),
  isLength: ([minLength, maxLength]) => ({ minLength, ...(maxLength !== undefined && { maxLength }) }),
  equals: ([value]) => ({ type: typeof value, const: value }),
  isIn: ([values]) => ({ enum: values }),
  matches: ([pattern]) => ({ pattern: (pattern as RegExp).source }),
  arrayMinSize: ([minItems]) => ({ minItems }),
  arrayMaxSize: ([maxItems]) => ({ maxItems }),
};

/**
 * The schema of a class that class-validator checks. `members` adds what validators do not say: descriptions, examples. Throws on a
 * validator that it cannot put into JSON Schema.
 */
export function schemaOf<T extends object>(
  validated: new () => T,
  members: { readonly [Name in keyof T]-?: Schema },
): Schema {
  const rules = getMetadataStorage().getTargetValidationMetadatas(validated, '', false, false);
  const described = Object.entries(members as Record<string, Schema>).map(([name, more]) => {
    const ofMember = rules.filter(({ propertyName }) => propertyName === name);
    if (ofMember.length === 0) throw new Error(`${validated.name} does not validate ${name}`);
    const said = ofMember.flatMap(({ type, name: rule, constraints, each }) =>
      type === 'conditionalValidation' ? [] : [ruleOf(rule ?? type, constraints as unknown[], each)],
    );
    const required = ofMember.every(({ type }) => type !== 'conditionalValidation');
    return { name, required, schema: Object.assign({}, ...said, limit(said), more) as Schema };
  });
  return {
    ...object({}),
    required: described.filter(({ required }) => required).map(({ name }) => name),
    properties: Object.fromEntries(described.map(({ name, schema }) => [name, schema])),
  };
}

function ruleOf(name: string, constraints: readonly unknown[], each: boolean): Schema {
  const rule = RULES[name];
  if (!rule) throw new Error(`the validator ${name} has no words in JSON Schema`);
  return each ? { items: rule(constraints) } : rule(constraints);
}

/** A text without a limit of its own is limited by the body's. */
function limit(said: readonly Schema[]): Schema {
  const is = (keyword: string): boolean => said.some((part) => keyword in part);
  const isText = said.some(({ type }) => type === 'string');
  return isText && !is('maxLength') && !is('const') && !is('enum') ? { maxLength: 65_536 } : {};
}
